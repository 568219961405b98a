/**
 * Whether the time it takes to verify a presentation tells its sender anything new: valid ones, forged ones and another key,
 * in random order, through the site's own pool. Fails if they differ. docs/credentials.md has the figures.
 * npx tsx bench/verifying.ts --times=2500 [--keep=FILE adds to an earlier run's times]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { randomScalar, type Scalar, scalars, utf8ToBytes } from '../app/api/credential/group.ts'
import {
  createCredentialResponse,
  finalizeCredential,
  serializeServerPrivateKey,
  serializeServerPublicKey,
  setupServer,
} from '../app/api/credential/issuing.ts'
import { startCredentialPool } from '../app/api/credential/pool.server.ts'
import {
  createCredentialRequest,
  KETTLE,
  Npresentation,
  type Presentation,
  present,
  serializePresentation,
  tagOf,
  verifyCredentialRequest,
} from '../app/api/credential/profile.ts'
import { ratingContextOf, requestContextOf } from '../app/api/credential/purposes.ts'

const { values } = parseArgs({
  options: { times: { type: 'string', default: '2500' }, keep: { type: 'string' } },
})
/** Made beforehand, so we only measure verification. */
const MADE = 50

const requestContext = requestContextOf({ kind: 'ratings', quarter: '2026-Q4' })
const presentationContext = ratingContextOf('3f1c9e52-7a0b-4d68-9c1e-5b8a2d4f6071')
const message = utf8ToBytes('stars')
const about = { requestContext, presentationContext, message }

type Keys = ReturnType<typeof setupServer>
const keys = setupServer(KETTLE, randomScalar)
/**
 * With these keys, both secret factors of the verification are 1. If its time depends on the key, this
 * shows it best.
 */
const m2 = KETTLE.hashToScalar(requestContext, 'requestContext')
const thin: Scalar[] = [scalars.sub(1n, m2), 1n, 1n, 1n]
const thinKeys = setupServer(KETTLE, () => thin.shift() ?? randomScalar())

function shown({ privateKey, publicKey }: Keys): Presentation {
  const { secrets, request } = createCredentialRequest(randomScalar(), requestContext, randomScalar)
  const encrypted = verifyCredentialRequest(request, requestContext)
  const response = createCredentialResponse(KETTLE, privateKey, publicKey, encrypted, randomScalar)
  const credential = finalizeCredential(KETTLE, secrets, publicKey, encrypted, response)
  return present(credential, presentationContext, message, randomScalar)
}

const several = (make: () => Uint8Array) => Array.from({ length: MADE }, make)
const right = several(() => serializePresentation(shown(keys)))
const changed = (at: number) => (bytes: Uint8Array) => bytes.with(at, (bytes[at] ?? 0) ^ 1)
const kinds: Record<string, { sent: Uint8Array[]; by?: Keys }> = {
  right: { sent: right },
  // The same again, because any difference between two equal kinds is noise.
  'right, again': { sent: right },
  'one, repeated': { sent: right.slice(0, 1) },
  'wrong tag': {
    sent: several(() =>
      serializePresentation({ ...shown(keys), tag: tagOf(randomScalar(), presentationContext) }),
    ),
  },
  'wrong scalar': { sent: right.map(changed(Npresentation - 1)) },
  'another issuer': { sent: several(() => serializePresentation(shown(thinKeys))) },
  'thinnest key': { sent: several(() => serializePresentation(shown(thinKeys))), by: thinKeys },
  'no point': { sent: right.map((bytes) => bytes.with(0, 5)) },
}

const pool = startCredentialPool()
const random = (below: number) => Math.floor(Math.random() * below)
async function timed({ sent, by = keys }: { sent: Uint8Array[]; by?: Keys }) {
  const serialized = {
    privateKey: serializeServerPrivateKey(by.privateKey),
    publicKey: serializeServerPublicKey(by.publicKey),
  }
  const presentation = sent[random(sent.length)] as Uint8Array
  const began = performance.now()
  await pool.verify({ keys: serialized, ...about, presentation })
  return performance.now() - began
}

const taken: Record<string, number[]> =
  values.keep && existsSync(values.keep) ? JSON.parse(readFileSync(values.keep, 'utf8')) : {}
for (const kind of Object.values(kinds)) for (let n = 0; n < 20; n++) await timed(kind)
for (let n = 0; n < Number(values.times); n++)
  for (const left = Object.entries(kinds); left.length > 0; ) {
    const [name, kind] = left.splice(random(left.length), 1)[0] as (typeof left)[number]
    taken[name] ??= []
    taken[name].push(await timed(kind))
  }
await pool.stop()
if (values.keep) writeFileSync(values.keep, JSON.stringify(taken))

/** Leaves out the slowest tenth, when the machine did something else. */
function summary(all: number[]) {
  const kept = all.toSorted((one, other) => one - other).slice(0, Math.ceil(all.length * 0.9))
  const mean = kept.reduce((sum, ms) => sum + ms, 0) / kept.length
  const variance = kept.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / (kept.length - 1)
  return { middle: kept[Math.floor(all.length / 2)] ?? 0, mean, error: variance / kept.length }
}
const base = summary(taken.right ?? [])
/**
 * As in dudect, a larger t isn't chance. We leave out malformed points, because their sender knows they're
 * malformed.
 */
const DIFFERS_T = 4.5
console.log('kind'.padEnd(16), 'times', 'median ms', 'mean ms', 'difference in µs (95 %)', 't')
for (const [name, all] of Object.entries(taken)) {
  const { middle, mean, error } = summary(all)
  const [difference, deviation] = [mean - base.mean, Math.sqrt(error + base.error)]
  const micro = (ms: number) => (ms * 1000).toFixed(0)
  const said = `${micro(difference)} ± ${micro(1.96 * deviation)}`
  const t = difference / deviation
  console.log(name.padEnd(16), all.length, middle.toFixed(3), mean.toFixed(3), said, t.toFixed(2))
  if (Math.abs(t) > DIFFERS_T && name !== 'no point') process.exitCode = 1
}
