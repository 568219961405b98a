/** What the second step asks of the auth service and of the browser. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Auth } from '#app/kit/session/live-session.data.ts'
import { liveSession } from '#app/kit/session/session.data.ts'
import { addPasskey, beginApp, removeFactor } from './own-factors.data.ts'
import { knownFactors, verifyPasskey, verifyRecoveryCode } from './second-step.data.ts'

vi.mock('#app/kit/session/session.data.ts', () => ({
  liveSession: vi.fn(),
  askToReauthenticate: async () => true,
}))

const mfa = { enroll: vi.fn(), challenge: vi.fn(), verify: vi.fn(), unenroll: vi.fn() }
const client = { getSession: vi.fn(), setSession: vi.fn(), refreshSession: vi.fn() }
const auth = { ...client, mfa } as unknown as Auth
const loadMe = vi.fn()
const credentials = { create: vi.fn(), get: vi.fn() }
const asked = vi.fn()
const good = (data: unknown) => ({ data, error: null })
const refusal = (code: string) => ({
  data: null,
  error: { name: 'AuthApiError', message: `It says ${code}.`, code },
})

beforeEach(() => {
  for (const call of [
    ...Object.values(mfa),
    ...Object.values(client),
    ...Object.values(credentials),
  ])
    call.mockReset()
  asked.mockReset()
  loadMe.mockReset()
  client.getSession.mockResolvedValue(good({ session: { access_token: 't', user: {} } }))
  vi.mocked(liveSession).mockResolvedValue({ auth, loadMe } as never)
  vi.stubGlobal('location', new URL('https://samovar.example/settings'))
  vi.stubGlobal('navigator', { credentials })
  vi.stubGlobal('fetch', asked)
})

const challenge = (type: 'create' | 'request') =>
  good({ id: 'c', webauthn: { type, credential_options: { publicKey: { of: type } } } })

describe('a passkey', () => {
  test('a passkey is requested as the service says, and its answer verified for this site', async () => {
    mfa.challenge.mockResolvedValue(challenge('request'))
    credentials.get.mockResolvedValue('an answer')
    mfa.verify.mockResolvedValue(good({}))
    expect(await verifyPasskey(auth, 'f')).toBeUndefined()
    expect(credentials.get).toHaveBeenCalledWith({ publicKey: { of: 'request' } })
    expect(mfa.verify).toHaveBeenCalledWith({
      factorId: 'f',
      challengeId: 'c',
      webauthn: {
        type: 'request',
        rpId: 'samovar.example',
        rpOrigins: ['https://samovar.example'],
        credential_response: 'an answer',
      },
    })
  })

  test('a passkey that dana doesn’t confirm proves nothing, and she reads why', async () => {
    mfa.challenge.mockResolvedValue(challenge('request'))
    credentials.get.mockRejectedValue(Object.assign(new Error('x'), { name: 'NotAllowedError' }))
    expect((await verifyPasskey(auth, 'f'))?.message).toContain('was canceled')
    expect(mfa.verify).not.toHaveBeenCalled()
  })

  test('a passkey that’s refused doesn’t remove one that works', async () => {
    mfa.enroll.mockResolvedValue(refusal('mfa_factor_name_conflict'))
    expect((await addPasskey('Laptop'))?.code).toBe('mfa_factor_name_conflict')
    expect(mfa.unenroll).not.toHaveBeenCalled()
    expect(credentials.create).not.toHaveBeenCalled()
  })

  test('a passkey is added once dana has confirmed it’s her', async () => {
    mfa.enroll.mockResolvedValueOnce(refusal('reauthentication_needed'))
    mfa.enroll.mockResolvedValueOnce(good({ id: 'f' }))
    mfa.challenge.mockResolvedValue(challenge('create'))
    credentials.create.mockResolvedValue('a new one')
    mfa.verify.mockResolvedValue(good({}))
    expect(await addPasskey('Laptop')).toBeUndefined()
    expect(credentials.create).toHaveBeenCalledWith({ publicKey: { of: 'create' } })
  })
})

test('an app’s picture is complete, whatever its markup has', async () => {
  const totp = {
    qr_code: 'data:image/svg+xml;utf-8,<svg fill="#000">,100%</svg>',
    uri: 'otpauth://x',
    secret: 'ABCD',
  }
  mfa.enroll.mockResolvedValue(good({ id: 'f', totp }))
  const { data } = await beginApp('Phone')
  const [head, ...rest] = data?.picture.split(',') ?? []
  expect(head).toBe('data:image/svg+xml')
  expect(decodeURIComponent(rest.join(','))).toBe('<svg fill="#000">,100%</svg>')
})

test('a recovery code opens a whole session, and an invalid one doesn’t and says so', async () => {
  const tokens = { access_token: 'a', refresh_token: 'r' }
  client.setSession.mockResolvedValue(good({}))
  asked.mockResolvedValueOnce(Response.json(tokens))
  expect(await verifyRecoveryCode(auth, 'aaaaa-bbbbb')).toBeUndefined()
  expect(client.setSession).toHaveBeenCalledExactlyOnceWith(tokens)
  const wrong = { msg: 'There is no such code.', error_code: 'mfa_verification_failed' }
  asked.mockResolvedValueOnce(Response.json(wrong, { status: 422 }))
  expect((await verifyRecoveryCode(auth, 'x'))?.message).toBe('There is no such code.')
  expect(client.setSession).toHaveBeenCalledTimes(1)
})

test('only a session without a factor asks for its factors, and unfinished ones don’t count', async () => {
  const phone = { id: 'f', friendly_name: 'Phone', factor_type: 'totp', status: 'verified' }
  const begun = { ...phone, id: 'g', status: 'unverified' }
  asked.mockResolvedValue(Response.json({ factors: [begun, phone], recovery_codes_left: 9 }))
  const shown = [{ id: 'f', kind: 'totp', name: 'Phone' }]
  expect(await knownFactors(auth)).toEqual(shown)
  expect(asked).toHaveBeenCalledTimes(1)
  const user = { factors: [phone, begun] }
  client.getSession.mockResolvedValue(good({ session: { access_token: 't', user } }))
  expect(await knownFactors(auth)).toEqual(shown)
  expect(asked).toHaveBeenCalledTimes(1)
})

test('a browser that removes a factor asks again what its member can do', async () => {
  mfa.unenroll.mockResolvedValue(good({ id: 'f' }))
  client.refreshSession.mockResolvedValue(good({}))
  expect(await removeFactor('f')).toBeUndefined()
  expect(loadMe).toHaveBeenCalledOnce()
})
