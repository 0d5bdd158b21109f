import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { sealMessage } from 'mailauth';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { authenticator, type Authenticate } from '../../src/shell/bot/authenticate.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const published = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

/** A DNS of the tests' own: one key under every selector, and nothing else. */
function resolver(name: string, type: string): Promise<string[][]> {
  if (type === 'TXT' && name.includes('._domainkey.')) return Promise.resolve([[`v=DKIM1; k=rsa; p=${published}`]]);
  return Promise.reject(Object.assign(new Error(`no ${type} of ${name}`), { code: 'ENOTFOUND' }));
}

const check = authenticator({ resolver, sealers: ['lists.test'], patience: 60_000 });
const from = 'ada@example.org';
const mail = (head = ''): string =>
  `From: Ada <${from}>\r\n${head}To: b@lists.test\r\nSubject: Re: x\r\nMessage-ID: <a@example.org>\r\n\r\nreveille: stop\r\n`;
const footer = '_____\r\nthe list, its page and its rules\r\n';

async function signed(
  text: string,
  signingDomain = 'example.org',
  more: { maxBodyLength?: number } = {},
): Promise<string> {
  const how = { signingDomain, selector: 's', privateKey: pem, ...more };
  const { signatures } = await dkimSign(text, { ...how, signatureData: [how] });
  return signatures + text;
}

async function sealed(text: string, signingDomain: string, said: string): Promise<string> {
  const seal = {
    signingDomain,
    selector: 'l',
    privateKey: pem,
    authResults: `mx.${signingDomain}; ${said}`,
    cv: 'none',
  };
  return (await sealMessage(Buffer.from(text), seal)).toString() + text;
}

const standing = (text: string, by: Authenticate = check): ReturnType<Authenticate> => by(Buffer.from(text), from);

describe('who gives a command', () => {
  test("is verified by a signature of the sender's own domain or of one above it", async () => {
    expect(await standing(await signed(mail()))).toEqual({ kind: 'verified', by: 'DKIM of example.org' });
    const below = mail().replace(from, 'ada@dev.example.org');
    expect(await check(Buffer.from(await signed(below)), 'ada@dev.example.org')).toMatchObject({ kind: 'verified' });
  });

  test('is unverified, not forged, without a signature and where the list has changed the mail', async () => {
    expect(await standing(mail())).toEqual({ kind: 'unverified', why: 'DKIM none' });
    expect(await standing((await signed(mail())) + footer)).toEqual({ kind: 'unverified', why: 'DKIM neutral' });
    const tagged = (await signed(mail())).replace('Subject: ', 'Subject: [list] ');
    expect(await standing(tagged)).toMatchObject({ kind: 'unverified' });
  });

  test("is not verified by somebody else's signature, nor by one that leaves the end of the mail open", async () => {
    expect(await standing(await signed(mail(), 'example.net'))).toMatchObject({ kind: 'unverified' });
    const quiet = mail().replace('reveille: stop', 'Nice.');
    const open = `${await signed(quiet, 'example.org', { maxBodyLength: 7 })}reveille: stop\r\n`;
    expect(await standing(open)).toMatchObject({ kind: 'unverified' });
  });

  test('is verified by the seal of a list server that the settings name, of no other', async () => {
    const passed = 'dkim=pass header.i=@example.org header.s=s';
    const changed = (await signed(mail())) + footer;
    expect(await standing(await sealed(changed, 'lists.test', passed))).toEqual({
      kind: 'verified',
      by: 'ARC seal of lists.test',
    });
    expect(await standing(await sealed(changed, 'evil.test', passed))).toMatchObject({ kind: 'unverified' });
    const other = 'dkim=pass header.i=@example.net header.s=s';
    expect(await standing(await sealed(changed, 'lists.test', other))).toMatchObject({ kind: 'unverified' });
    const failed = 'dkim=fail header.i=@example.org header.s=s';
    expect(await standing(await sealed(changed, 'lists.test', failed))).toMatchObject({ kind: 'unverified' });
  });

  test('is unverified when the mail has two From, and when DNS fails or does not answer', async () => {
    expect(await standing(await signed(mail('From: Eve <eve@example.net>\r\n')))).toMatchObject({
      why: 'not one From',
    });
    const text = await signed(mail());
    const broken = authenticator({ resolver: () => Promise.reject(new Error('down')), sealers: [], patience: 60_000 });
    expect(await standing(text, broken)).toMatchObject({ kind: 'unverified' });
    const hangs = authenticator({ resolver: () => new Promise(() => undefined), sealers: [], patience: 50 });
    expect(await standing(text, hangs)).toEqual({ kind: 'unverified', why: 'DNS did not answer in time' });
  });

  test('is unverified for any bytes', async () => {
    for (const bytes of [
      '',
      '\0',
      'From: a@b\n',
      `From: ${from}\r\nDKIM-Signature: v=1; d=;;;=\r\nARC-Seal: i=x\r\n\r\n`,
    ]) {
      expect(await standing(bytes)).toMatchObject({ kind: 'unverified' });
    }
  });
});
