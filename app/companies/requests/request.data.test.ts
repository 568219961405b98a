/** What a browser sends to ask for a company. Spec §3, §7.3, §8. */
import { beforeEach, expect, test, vi } from 'vitest'
import { EMPTY_REQUEST } from './company-request.ts'
import { rememberedEmail, requestCompany } from './request.data.ts'

vi.mock('#app/kit/spam-check/spam-check.data.ts', () => ({ solveSpamCheck: async () => undefined }))

const stored = new Map<string, string>()
const sent: { url: string; bearer: string; body: unknown }[] = []
/** What the function answers; `undefined` is a connection that failed. */
let status: number | undefined

beforeEach(() => {
  stored.clear()
  sent.length = 0
  status = 200
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
    const { authorization = '' } = headers as Record<string, string>
    sent.push({ url, bearer: authorization, body: JSON.parse(String(body)) })
    if (status === undefined) throw new TypeError('Failed to fetch')
    return new Response(null, { status })
  })
})

const api = vi.fn(async () => ({ notice: 'notice-token' })) as never
const visitor = { isSignedIn: false }
const asked = {
  ...EMPTY_REQUEST,
  companyName: ' Acme ',
  isNotify: true,
  notifyEmail: 'v@p.example',
}

test('Spec §7.3: the notice has the company, website or "Not provided", and requester, with a bearer', async () => {
  await requestCompany(api, asked, visitor)
  await requestCompany(api, { ...asked, companyWebsite: 'acme.com' }, visitor)
  const notice = { companyName: 'Acme', requesterEmail: 'v@p.example' }
  expect(sent).toEqual([
    {
      url: '/functions/v1/notify-company-request',
      bearer: 'Bearer notice-token',
      body: { ...notice, companyWebsite: 'Not provided' },
    },
    {
      url: '/functions/v1/notify-company-request',
      bearer: 'Bearer notice-token',
      body: { ...notice, companyWebsite: 'https://acme.com' },
    },
  ])
})

test('Spec §7.3: the browser sends a notice only if notify is checked', async () => {
  await requestCompany(api, { ...asked, isNotify: false }, visitor)
  expect(sent).toEqual([])
  expect(rememberedEmail()).toBe('')
})

test('Spec §3: the browser remembers a visitor’s address', async () => {
  await requestCompany(api, asked, visitor)
  expect(stored.get('userRequestEmail')).toBe('v@p.example')
  expect(rememberedEmail()).toBe('v@p.example')
})

test.each([500, undefined])(
  'Spec §8: a failed notice is only logged, and the request stays: %s',
  async (answer) => {
    status = answer
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await expect(requestCompany(api, asked, visitor)).resolves.toBeUndefined()
    await expect.poll(() => log.mock.calls).toHaveLength(1)
  },
)
