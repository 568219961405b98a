/** A passkey without a device. It registers and answers as a browser would, with a key of its own. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const ATTESTED = 0x40
const USER_PRESENT = 0x01

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (bytes: Buffer) => bytes.toString('base64url')

/** The part of CBOR that passkeys use: whole numbers, texts, bytes, and maps of them. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (type: number, n: number) =>
    n < 24
      ? Buffer.from([(type << 5) | n])
      : n < 256
        ? Buffer.from([(type << 5) | 24, n])
        : Buffer.from([(type << 5) | 25, n >> 8, n & 255])
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const parts = [...value].flatMap(([key, it]) => [cbor(key), cbor(it as string)])
  return Buffer.concat([head(5, value.size), ...parts])
}

function publicKeyOf(key: KeyObject) {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const of = (text: string) => Buffer.from(text, 'base64url')
  // COSE: an elliptic curve key, for ES256, on P-256.
  return cbor(
    new Map<number, number | Buffer>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, of(x)],
      [-3, of(y)],
    ]),
  )
}

interface Ceremony {
  challenge: string
  origin: string
  rpID: string
}

export function softwarePasskey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const clientData = (type: string, { challenge, origin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (rpID: string, flags: number, rest = Buffer.alloc(0)) =>
    Buffer.concat([sha256(rpID), Buffer.from([flags]), Buffer.alloc(4), rest])
  const credential = (response: object) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
    response,
  })
  return {
    id: base64url(id),
    /** The passkey's registration. @param format of the attestation: none, or one that names its maker */
    create(ceremony: Ceremony, format = 'none') {
      const lengthOfId = Buffer.from([0, id.length])
      const attested = Buffer.concat([Buffer.alloc(16), lengthOfId, id, publicKeyOf(publicKey)])
      const authData = authenticatorData(ceremony.rpID, ATTESTED | USER_PRESENT, attested)
      const client = clientData('webauthn.create', ceremony)
      const statement = new Map<string, unknown>()
      if (format === 'packed') {
        const signed = Buffer.concat([authData, sha256(client)])
        statement.set('alg', -7).set('sig', sign('sha256', signed, privateKey))
      }
      const attestation = new Map<string, unknown>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', authData],
      ])
      return credential({
        attestationObject: base64url(cbor(attestation)),
        clientDataJSON: base64url(client),
        transports: ['internal'],
      })
    },
    /** The passkey's answer to a challenge. */
    get(ceremony: Ceremony) {
      const authData = authenticatorData(ceremony.rpID, USER_PRESENT)
      const client = clientData('webauthn.get', ceremony)
      const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey)
      return credential({
        authenticatorData: base64url(authData),
        clientDataJSON: base64url(client),
        signature: base64url(signature),
      })
    },
  }
}

/** A credential as `navigator.credentials` returns it. Clients put it into JSON themselves. */
export const asInBrowser = <Credential extends object>(credential: Credential) => ({
  ...credential,
  toJSON: () => credential,
})
