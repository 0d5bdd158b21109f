import { Resolver } from 'node:dns/promises';
import { authenticate as authenticateMail, type DNSResolver } from 'mailauth';

/** Whether a mail is by whom its From names. Lists change mails and break signatures: unverified is not forged. */
export type Standing =
  { readonly kind: 'verified'; readonly by: string } | { readonly kind: 'unverified'; readonly why: string };

/** Asks it of a mail's bytes and the address of its From. Never throws. */
export type Authenticate = (raw: Uint8Array, from: string) => Promise<Standing>;

export type AuthenticationOptions = {
  readonly resolver: DNSResolver;
  /** Domains of list servers whose word, sealed by ARC, on a mail as it reached them is believed (RFC 8617). */
  readonly sealers: readonly string[];
  /** Longest time for all questions to DNS together, in milliseconds. */
  readonly patience: number;
};

/** Checks DKIM (RFC 6376) and ARC by mailauth. Only a signature of the sender's own domain over the whole body counts. */
export function authenticator({ resolver, sealers, patience }: AuthenticationOptions): Authenticate {
  return async (raw, from) => {
    const domain = domainOf(from);
    if (domain === '') return unverified('no address');
    // Which of several names the reader is shown is anybody's guess (RFC 7489 section 6.6.1).
    if (countFrom(raw) !== 1) return unverified('not one From');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Standing>((resolve) => {
      timer = setTimeout(() => resolve(unverified('DNS did not answer in time')), patience);
    });
    try {
      return await Promise.race([ask(raw, domain, { resolver, sealers }), late]);
    } catch (error) {
      // Hostile headers make what they can throw; it is no more than a mail that nobody vouches for.
      return unverified(`cannot be checked: ${String(error).slice(0, 200)}`);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Asks the machine's DNS servers, once each and not for long. */
export function dnsResolver(): DNSResolver {
  const dns = new Resolver({ timeout: 3000, tries: 2 });
  return (domain, type) => dns.resolve(domain, type) as Promise<string[][] | string[]>; // mailauth asks for TXT, MX, A, AAAA
}

async function ask(
  raw: Uint8Array,
  domain: string,
  { resolver, sealers }: Pick<AuthenticationOptions, 'resolver' | 'sealers'>,
): Promise<Standing> {
  const found = await authenticateMail(Buffer.from(raw), { resolver, disableDmarc: true, disableBimi: true });
  const results = found.dkim.results ?? [];
  for (const { status, signingDomain } of results) {
    const whole = !status.underSized; // `l=` leaves the end of the body to anybody
    if (status.result === 'pass' && status.aligned && whole && isUnder(domain, signingDomain)) {
      return { kind: 'verified', by: `DKIM of ${signingDomain}` };
    }
  }
  const sealed = found.arc === false ? undefined : sealedBy(found.arc, domain, sealers);
  if (sealed !== undefined) return { kind: 'verified', by: `ARC seal of ${sealed}` };
  return unverified(results.map(({ status }) => `DKIM ${status.result}`).join(', ') || 'no signature');
}

type Arc = Exclude<Awaited<ReturnType<typeof authenticateMail>>['arc'], false>;

function sealedBy(arc: Arc, domain: string, sealers: readonly string[]): string | undefined {
  if (arc.status.result !== 'pass' || arc.signature === undefined || arc.signature === false) return undefined;
  const sealer = arc.signature.signingDomain.toLowerCase();
  if (!sealers.some((one) => one.toLowerCase() === sealer)) return undefined;
  const said: unknown = arc.authenticationResults?.['dkim'];
  const passed = (Array.isArray(said) ? said : []).some((one: unknown) => {
    const { result, header } = one as { result?: unknown; header?: { i?: unknown; d?: unknown } };
    const signer = String(header?.d ?? domainOf(String(header?.i ?? ''))).toLowerCase();
    return result === 'pass' && signer !== '' && isUnder(domain, signer);
  });
  return passed ? sealer : undefined;
}

/** A domain may speak for itself and for what is below it, never for a whole registry. */
function isUnder(domain: string, signer: string): boolean {
  const by = signer.toLowerCase();
  return domain === by || (by.includes('.') && domain.endsWith(`.${by}`)) || by.endsWith(`.${domain}`);
}

function domainOf(address: string): string {
  return address.toLowerCase().split('@').at(-1)?.trim() ?? '';
}

function countFrom(raw: Uint8Array): number {
  const head =
    Buffer.from(raw.subarray(0, 256 * 1024))
      .toString('latin1')
      .split(/\r?\n\r?\n/, 1)[0] ?? '';
  return head.split(/\r?\n/).filter((line) => /^from\s{0,8}:/i.test(line)).length;
}

function unverified(why: string): Standing {
  return { kind: 'unverified', why };
}
