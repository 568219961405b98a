import {
  AuthApiError,
  AuthClient,
  AuthRetryableFetchError,
  AuthWeakPasswordError,
} from '@supabase/auth-js'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Auth } from '#app/kit/session/live-session.data.ts'
import { liveSession, stored } from '#app/kit/session/session.data.ts'
import { confirmByCode, signIn, signOut, signUp } from './sign-in.data.ts'

vi.mock('#app/kit/spam-check/spam-check.data.ts', () => ({ solveSpamCheck: async () => 'solved' }))
vi.mock('#app/kit/session/session.data.ts', () => ({ liveSession: vi.fn(), stored: vi.fn() }))

const auth = {
  signInWithPassword: vi.fn(),
  signUp: vi.fn(),
  signOut: vi.fn(),
  getSession: vi.fn(),
  setSession: vi.fn(),
}
beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://samovar.example' })
  for (const call of Object.values(auth)) call.mockReset()
  vi.mocked(liveSession).mockResolvedValue({ auth: auth as unknown as Auth } as never)
})
const answers = (error: unknown) => ({ data: { session: null, user: null }, error })

test('Spec §7.1: signing in sends the email and password', async () => {
  auth.signInWithPassword.mockResolvedValue(answers(null))
  expect(await signIn('dana@people.example', 'horse 9')).toEqual({ needsSecondStep: false })
  expect(auth.signInWithPassword).toHaveBeenCalledWith({
    email: 'dana@people.example',
    password: 'horse 9',
  })
})

test('Spec §8: a failed sign-in shows the service’s message, or asks to check the credentials', async () => {
  auth.signInWithPassword.mockResolvedValue(
    answers(new AuthApiError('Invalid login credentials', 400, 'invalid_credentials')),
  )
  expect((await signIn('a@b.example', 'x')).problem?.message).toBe('Invalid login credentials')
  for (const error of [
    new AuthRetryableFetchError('{}', 503),
    new TypeError('Failed to fetch'),
    new AuthApiError('{"error":{"code":"unknown"}}', 400, undefined),
  ]) {
    auth.signInWithPassword.mockRejectedValue(error)
    expect((await signIn('a@b.example', 'x')).problem?.message).toBe(
      'Please check your credentials and try again',
    )
  }
})

test('the browser solves a spam check by itself after many wrong passwords', async () => {
  const disallowed = new AuthApiError('captcha protection', 400, 'captcha_failed')
  auth.signInWithPassword.mockResolvedValueOnce(answers(disallowed))
  auth.signInWithPassword.mockResolvedValueOnce(answers(null))
  expect(await signIn('dana@people.example', 'horse 9')).toEqual({ needsSecondStep: false })
  expect(auth.signInWithPassword).toHaveBeenLastCalledWith({
    email: 'dana@people.example',
    password: 'horse 9',
    options: { captchaToken: 'solved' },
  })
})

test('dana’s code names the accounts that her browser knows, so her password stays', async () => {
  const session = { user: { id: 'dana-here' }, access_token: 'token' }
  auth.getSession.mockResolvedValue({ data: { session } })
  auth.setSession.mockResolvedValue({ error: null })
  vi.mocked(stored).mockReturnValue('dana-signed-up')
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body))
    return Response.json({})
  })
  expect(await confirmByCode('dana@people.example', 'K7M2QP')).toBeUndefined()
  expect(sent).toMatchObject([{ token: 'K7M2QP', known_ids: 'dana-here dana-signed-up' }])
})

test('an administrator with a short password hears so at sign-in, which still works', async () => {
  const weakPassword = {
    reasons: ['length'],
    message: 'Password should be at least 12 characters.',
  }
  auth.signInWithPassword.mockResolvedValue({ data: { weakPassword }, error: null })
  expect(await signIn('ada@people.example', 'horse 9')).toEqual({
    weakness: 'Password must be at least 12 characters',
    needsSecondStep: false,
  })
})

test('Spec §7.1: signing up sends a generated username and leads back to the site', async () => {
  auth.signUp.mockResolvedValue(answers(null))
  await signUp('dana@people.example', 'horse 9')
  expect(auth.signUp).toHaveBeenCalledWith({
    email: 'dana@people.example',
    password: 'horse 9',
    options: {
      data: { username: expect.stringMatching(/^[A-Z][a-z]+[A-Z][a-z]+\d{3,4}$/) },
      emailRedirectTo: 'https://samovar.example',
    },
  })
})

test('Spec §8: a failed sign-up shows the service’s message, why a password is weak, or asks to try again', async () => {
  auth.signUp.mockResolvedValue(answers(new AuthApiError('Signups are closed', 422, 'x')))
  expect((await signUp('a@b.example', 'x')).problem?.message).toBe('Signups are closed')
  auth.signUp.mockResolvedValue(answers(new AuthWeakPasswordError('Weak', 422, ['length'])))
  expect((await signUp('a@b.example', 'x')).problem?.password).toBe(
    'Password must be at least 6 characters',
  )
  auth.signUp.mockRejectedValue(new TypeError('Failed to fetch'))
  expect((await signUp('a@b.example', 'x')).problem?.message).toBe(
    'Something went wrong. Please try again.',
  )
})

test('Spec §7.1: signing out is local to this browser', async () => {
  auth.signOut.mockResolvedValue({ error: null })
  expect(await signOut()).toBeUndefined()
  expect(auth.signOut).toHaveBeenCalledWith({ scope: 'local' })
})

test('Spec §8: a failed sign-out shows the error’s own message if it’s in words', async () => {
  const message = async (error: Error) => {
    auth.signOut.mockResolvedValueOnce({ error })
    return (await signOut())?.message
  }
  expect(await message(new AuthApiError('User is banned', 403, 'user_banned'))).toBe(
    'User is banned',
  )
  expect(await message(new AuthRetryableFetchError('Failed to fetch', 0))).toBe('Failed to fetch')
  expect(await message(new AuthRetryableFetchError('{}', 503))).toBe('')
  auth.signOut.mockRejectedValueOnce(new TypeError('Load failed'))
  expect((await signOut())?.message).toBe('Load failed')
})

test.each([
  [500, '{"msg":"Something went wrong"}'],
  [500, '500'],
  [429, '<h1>Too many requests</h1>'],
  [429, ''],
  [400, '{"error":{"code":"unknown","message":"Something"}}'],
])(
  'Spec §8: a sign-out that fails with a %i and %j hides that text, which is for machines',
  async (status, body) => {
    const client = new AuthClient({
      url: 'https://samovar.example/auth/v1',
      autoRefreshToken: false,
      persistSession: false,
      fetch: async () => new Response(body, { status }),
    })
    auth.signOut.mockImplementation(() => client.admin.signOut('a token', 'local'))
    expect((await signOut())?.message).toBe('')
  },
)
