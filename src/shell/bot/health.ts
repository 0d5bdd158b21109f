import { createServer, type Server, type ServerResponse } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type SourceHealth = {
  connected: boolean;
  lastSweep: number | undefined;
  readonly sweepEvery: number;
  /** Another process reads it; this one stands by. */
  standby: boolean;
};

/** What the daemon knows about itself. Plain fields, written by the loops and read by whoever asks. */
export type Health = {
  readonly sources: Map<string, SourceHealth>;
  /** When the deciding and the sending loop last came round. */
  readonly beats: Map<string, number>;
  policy: 'loaded' | 'broken';
  killed: boolean;
  stopping: boolean;
};

export function newHealth(): Health {
  return { sources: new Map(), beats: new Map(), policy: 'broken', killed: false, stopping: false };
}

/** Loops come round at least once a minute; three missed rounds mean that one hangs. */
const beatLimit = 180_000;

/** Whether the process does its work at all: if not, it should be started anew. */
export function isAlive(health: Health, now: number): boolean {
  return [...health.beats.values()].every((at) => now - at < beatLimit);
}

/** Why mail is not read or answered now; empty when all is well. */
export function findUnready(health: Health, now: number): string[] {
  const why: string[] = [];
  if (health.stopping) why.push('stopping');
  if (health.policy === 'broken') why.push('the policy is broken');
  if (health.killed) why.push('the kill file is there');
  if (!isAlive(health, now)) why.push('a loop hangs');
  for (const [name, source] of health.sources) {
    if (source.standby) continue;
    if (!source.connected) why.push(`${name} is not connected`);
    else if (source.lastSweep === undefined) why.push(`${name} was not read yet`);
    else if (now - source.lastSweep > source.sweepEvery * 3 + 60_000) why.push(`${name} was not read for too long`);
  }
  return why;
}

export type Metrics = ReturnType<typeof newMetrics>;

/** Counters in a registry of their own, for Prometheus. */
export function newMetrics(count: () => Promise<Readonly<Record<string, number>>>) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    mails: new Counter({ name: 'reveille_mails_total', help: 'Mails read', labelNames: ['source', 'kind'], registers }),
    losses: new Counter({
      name: 'reveille_source_losses_total',
      help: 'Connections lost',
      labelNames: ['source'],
      registers,
    }),
    decisions: new Counter({
      name: 'reveille_decisions_total',
      help: 'Postings judged',
      labelNames: ['result'],
      registers,
    }),
    sends: new Counter({
      name: 'reveille_sends_total',
      help: 'Tries to send',
      labelNames: ['channel', 'result'],
      registers,
    }),
    sendSeconds: new Histogram({ name: 'reveille_send_seconds', help: 'Time of a try to send', registers }),
    outbox: new Gauge({
      name: 'reveille_outbox',
      help: 'Replies by state',
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset();
        for (const [state, n] of Object.entries(await count())) this.set({ state }, n);
      },
    }),
  };
}

/** Serves /healthz, /readyz and /metrics on loopback. Gives the port that it got. */
export async function serveHealth(
  at: { readonly host: string; readonly port: number },
  health: Health,
  metrics: Metrics,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request.url ?? '/', response, health, metrics).catch(() => {
      response.writeHead(500).end();
    });
  });
  server.headersTimeout = 5000;
  await listen(server, at);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : at.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, at: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, resolve);
  });
}

async function answer(url: string, response: ServerResponse, health: Health, metrics: Metrics): Promise<void> {
  const say = (status: number, text: string): void => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
  };
  switch (url.split('?', 1)[0]) {
    case '/healthz':
      return isAlive(health, Date.now()) ? say(200, 'alive') : say(503, 'a loop hangs');
    case '/readyz': {
      const why = findUnready(health, Date.now());
      return why.length === 0 ? say(200, 'ready') : say(503, why.join('\n'));
    }
    case '/metrics':
      response.writeHead(200, { 'content-type': metrics.registry.contentType });
      response.end(await metrics.registry.metrics());
      return;
    default:
      say(404, 'not here: /healthz, /readyz, /metrics');
  }
}
