/** What it costs to know who is asking. */
import { fileURLToPath } from 'node:url'
import { verify } from '@node-rs/argon2'
import autocannon from 'autocannon'
import { exportJWK, generateKeyPair } from 'jose'
import { hashPassword } from '../app/api/auth/passwords.server.ts'
import { createTokens } from '../app/api/auth/tokens.server.ts'
import { type Bench, type Figure, median, timesOf } from './measure.ts'
import { type Program, startBuiltSite, startProgram } from './program.ts'

const ROUNDS = 5
const ROUND_SECONDS = 3
const CONNECTIONS = 16
const SIGN_INS = 40
/** Before, what signs in is not compiled: that is the first minute of a process, not signing in. */
const SIGN_INS_TO_WARM_UP = 80
const TOKENS = 500
const PASSWORD = 'correct horse 9'

const bareRoute = fileURLToPath(new URL('./bare-route.mjs', import.meta.url))

export const auth: Bench = {
  name: 'auth',
  async run({ databaseUrl }) {
    const url = await databaseUrl()
    const site = await startBuiltSite({ DATABASE_URL: url, STARTER: 'none', RATE_LIMITS: 'off' })
    try {
      const email = `bench-${process.pid}@kettle.example`
      const { access_token: token } = await post(site, '/auth/v1/signup', {
        email,
        password: PASSWORD,
      })
      return [
        ...(await signIn(site, email)),
        ...(await whoAmI(site, url, token)),
        ...(await verifyTokens()),
      ]
    } finally {
      await site.stop()
    }
  },
}

const post = async (site: Program, path: string, body: object) => {
  const answer = await fetch(site.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

/** In turn with the bare hash, so that a busy moment hits both. */
async function signIn(site: Program, email: string): Promise<Figure[]> {
  const hash = await hashPassword(PASSWORD)
  const whole: number[] = []
  const bare: number[] = []
  const body = { email, password: PASSWORD }
  for (let i = 0; i < SIGN_INS_TO_WARM_UP; i++)
    await post(site, '/auth/v1/token?grant_type=password', body)
  for (let i = 0; i < SIGN_INS; i++) {
    whole.push(
      ...(await timesOf([0], () => post(site, '/auth/v1/token?grant_type=password', body))),
    )
    bare.push(...(await timesOf([0], () => verify(hash, PASSWORD))))
  }
  return [
    { name: 'signing in, median', measured: median(whole), unit: 'ms', reference: median(bare) },
    {
      name: 'signing in, beyond the bare hash',
      measured: median(whole) - median(bare),
      unit: 'ms',
      budget: { most: 5 },
    },
  ]
}

/** Beside a Fastify that does one indexed query and nothing else. */
async function whoAmI(site: Program, databaseUrl: string, token: string): Promise<Figure[]> {
  const bare = await startProgram(bareRoute, { DATABASE_URL: databaseUrl })
  const perSecond = async (url: string) => {
    const { requests, errors, non2xx } = await autocannon({
      url,
      connections: CONNECTIONS,
      duration: ROUND_SECONDS,
      headers: { authorization: `Bearer ${token}` },
    })
    if (errors + non2xx > 0) throw new Error(`${url}: ${errors} errors, ${non2xx} not 2xx`)
    return requests.average
  }
  try {
    const ours: number[] = []
    const plain: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      ours.push(await perSecond(`${site.url}/api/v1/me`))
      plain.push(await perSecond(`${bare.url}/`))
    }
    // The first round warms both up.
    return [
      {
        name: '/api/v1/me',
        measured: median(ours.slice(1)),
        unit: 'req/s',
        reference: median(plain.slice(1)),
        budget: { leastRatio: 0.5 },
      },
    ]
  } finally {
    await bare.stop()
  }
}

async function verifyTokens(): Promise<Figure[]> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const tokens = createTokens({
    keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256' }],
    issuer: 'http://kettle.test/auth/v1',
    lifetime: 3600,
  })
  const signed: string[] = []
  for (let i = 0; i < TOKENS * 2; i++)
    signed.push(tokens.sign({ role: 'authenticated', i }, 'somebody').token)
  const check = async (token: string) => {
    if (!tokens.verify(token)) throw new Error('A good token was refused')
  }
  await timesOf(signed.slice(0, TOKENS), check)
  const first = await timesOf(signed.slice(TOKENS), check)
  const again = await timesOf(signed.slice(TOKENS), check)
  return [
    {
      name: 'verifying a token, first time',
      measured: median(first),
      unit: 'ms',
      budget: { most: 0.2 },
    },
    { name: 'verifying a token, again', measured: median(again), unit: 'ms' },
  ]
}
