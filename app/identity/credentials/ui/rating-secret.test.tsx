/** Where a person's ratings are, what each place offers, and what the windows say. */
import { QueryClient } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/client.ts'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { provePassword } from '../../accounts/sign-in/sign-in.data.ts'
import type { Holder } from '../holder.data.ts'
import { replaceLostSecret } from '../issuing.data.ts'
import { SecretElsewhere } from '../issuing-problem.data.ts'
import { bringKeptSecret, keepSecret } from '../kept-secret.data.ts'
import type { OwnCredential } from '../own-credential.data.ts'
import { BringSecretDialog } from './bring-secret-dialog.tsx'
import { KeepSecretDialog } from './keep-secret-dialog.tsx'
import { RatingSecretSettings } from './rating-secret-settings.tsx'

const here = vi.hoisted(() => ({ holder: null as Holder | null }))
vi.mock('../holder.data.ts', () => ({ useHolder: () => here.holder }))
vi.mock('#app/kit/session/session.data.ts', () => ({
  useSession: () => ({ status: 'signed-in', me: { email: 'dana@people.example' } }),
  useSessionKey: () => 'danas-profile',
}))
vi.mock('../../accounts/sign-in/sign-in.data.ts', () => ({ provePassword: vi.fn() }))
vi.mock('../issuing.data.ts', () => ({ replaceLostSecret: vi.fn() }))
vi.mock('../kept-secret.data.ts', () => ({ keepSecret: vi.fn(), bringKeptSecret: vi.fn() }))
// A window stands outside of the page's flow, where the server draws nothing.
vi.mock('#app/kit/ui/dialog.tsx', () => ({
  Dialog: ({ title, description, children }: Record<string, ReactNode>) =>
    createElement('section', null, createElement('h2', null, title), description, children),
}))
const form = vi.hoisted(() => ({
  check: (() => ({})) as () => object,
  send: (async () => undefined) as () => Promise<unknown>,
}))
vi.mock('#app/kit/forms/use-form.ts', () => ({
  useForm: ({ check = () => ({}), send }: typeof form) => {
    Object.assign(form, { check, send })
    return { form: {}, errors: {}, isBusy: false }
  },
}))

const own: OwnCredential = { isCommitted: true, anewFrom: '2026-10-01', vault: null }
const withOwn = (over: Partial<OwnCredential> = {}) => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(['me', 'credential', 'danas-profile'], { ...own, ...over })
  return { queryClient }
}
const held: Holder = { m1: 'm1', r: 'r' }
const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ')
const buttonsOf = (html: string) =>
  [...html.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map(([, text = '']) => textOf(text).trim())
const said = () => currentToasts().filter(({ open }) => open)
const onOpenChange = vi.fn()
const opened = { open: true, onOpenChange }

beforeEach(() => {
  here.holder = null
  dismissToast()
  for (const mock of [onOpenChange, keepSecret, bringKeptSecret, replaceLostSecret, provePassword])
    vi.mocked(mock).mockReset()
})

describe('the section in the settings', () => {
  const section = (over: Partial<OwnCredential>, holder: Holder | null = null) => {
    here.holder = holder
    return rendered(<RatingSecretSettings />, withOwn(over))
  }

  test.each([
    ['nobody has rated yet', { isCommitted: false, anewFrom: null }, null, 'nothing to keep', []],
    ['only this device has it', {}, held, 'no other one can', ['Keep for other devices']],
    ['it is kept', { vault: 'AQ' }, held, 'your twelve words open it', ['Make new words']],
    [
      'another device has it',
      {},
      null,
      'belong to another device',
      ['Bring them here', 'I have lost them'],
    ],
    [
      'it was begun anew elsewhere',
      {},
      { ...held, isRefused: true as const },
      'begun anew there',
      ['Bring them here', 'I have lost them'],
    ],
  ])('where %s', (_, over, holder, text, buttons) => {
    const html = section(over, holder)
    expect(html).toContain(text)
    expect(buttonsOf(html)).toEqual(buttons)
    expect(html).toMatch(/<h2 id="your-ratings-title"[^>]*>Your ratings<\/h2>/)
    expect(html).toContain('What is this?')
  })

  test('at an address without https it says so, and what is lost is lost there too', () => {
    vi.stubGlobal('crypto', {})
    expect(buttonsOf(section({}, held))).toEqual([])
    const html = section({})
    expect(html).toContain('At an address without https')
    expect(buttonsOf(html)).toEqual(['I have lost them'])
    expect(section({ isCommitted: false })).not.toContain('https')
  })

  test('while it loads its place is kept', () => {
    const html = rendered(<RatingSecretSettings />)
    expect(html).toContain('rounded-lg')
    expect(buttonsOf(html)).toEqual([])
  })

  test('what did not load can be asked for again', async () => {
    const queryClient = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } })
    await queryClient.prefetchQuery({
      queryKey: ['me', 'credential', 'danas-profile'],
      queryFn: () => Promise.reject(new Error('no')),
      retry: false,
    })
    const html = rendered(<RatingSecretSettings />, { queryClient })
    expect(html).toContain('What is kept for you did not load.')
    expect(buttonsOf(html)).toEqual(['Try Again'])
  })
})

describe('keeping', () => {
  const words = (html: string) =>
    [...html.matchAll(/<span class="font-medium">(\w+)<\/span>/g)].map(([, word]) => word)
  const dialog = (isKept = false) =>
    rendered(<KeepSecretDialog {...opened} isKept={isKept} />, withOwn())

  test('shows twelve words, others each time, and the price of a password', () => {
    const html = dialog()
    expect(words(html)).toHaveLength(12)
    expect(words(dialog())).not.toEqual(words(html))
    expect(html).toContain('<h2>Keep for other devices</h2>')
    expect(html).toContain('guesses it from a stolen copy of our database')
    expect(dialog(true)).toContain('take the place of all that opened it before')
  })

  test('seals with the words alone, closes, and says so', async () => {
    dialog()
    expect(await form.send()).toBeUndefined()
    expect(vi.mocked(keepSecret).mock.calls[0]?.slice(1)).toEqual([
      'danas-profile',
      [{ kind: 'words', bits: expect.any(Uint8Array) }],
    ])
    expect(provePassword).not.toHaveBeenCalled()
    expect(onOpenChange).toHaveBeenCalledWith(false)
    expect(said()).toMatchObject([{ title: 'Kept for your other devices' }])
  })

  test('that is refused stays open, with the reason', async () => {
    vi.mocked(keepSecret).mockRejectedValue(new ApiError(403, 'forbidden', 'Not today'))
    dialog()
    expect(await form.send()).toEqual({ form: 'Not today' })
    expect(onOpenChange).not.toHaveBeenCalled()
  })
})

describe('bringing', () => {
  const onBrought = vi.fn()
  const dialog = (over: Partial<OwnCredential> = { vault: 'AQ' }) =>
    rendered(<BringSecretDialog {...opened} onBrought={onBrought} />, withOwn(over))
  beforeEach(() => onBrought.mockReset())

  test('asks for the words, or the password; for a passkey where the browser has any', () => {
    const html = dialog()
    expect(html).toContain('<h2>Bring your ratings here</h2>')
    expect(html.match(/type="radio"[^>]*value="(\w+)"/g)).toHaveLength(2)
    expect(html).toContain('Twelve words')
    expect(buttonsOf(html)).toEqual([
      'Choose the file',
      'I have lost them',
      'Cancel',
      'Bring them here',
    ])
    expect(form.check()).toEqual({ words: 'Type the twelve words, or choose the file' })
    vi.stubGlobal('PublicKeyCredential', () => {})
    vi.stubGlobal('navigator', { credentials: { get: () => {} } })
    expect(dialog()).toContain('value="passkey"')
  })

  test('what is brought is said, and whoever waits for it goes on', async () => {
    vi.mocked(bringKeptSecret).mockResolvedValue('brought')
    dialog()
    expect(await form.send()).toBeUndefined()
    expect(onOpenChange).toHaveBeenCalledWith(false)
    expect(onBrought).toHaveBeenCalledOnce()
    expect(said()).toMatchObject([{ title: 'This device has your ratings now' }])
  })

  test('words that do not open it are said beside the field', async () => {
    vi.mocked(bringKeptSecret).mockResolvedValue('closed')
    dialog()
    expect(await form.send()).toEqual({
      words: expect.stringContaining('These words do not open them'),
    })
    expect(onBrought).not.toHaveBeenCalled()
  })

  test('words of a secret that was replaced since are told so', async () => {
    vi.mocked(bringKeptSecret).mockRejectedValue(new SecretElsewhere())
    dialog()
    expect(await form.send()).toEqual({ form: expect.stringContaining('begun anew') })
  })

  test('a secret of its own is not replaced before somebody says so', () => {
    expect(buttonsOf(dialog())).toEqual(expect.arrayContaining(['Cancel', 'Bring them here']))
    here.holder = { ...held, isRefused: true }
    const html = dialog()
    expect(html).toContain('This device has a secret of its own')
    expect(html).toContain('Keep it, or replace it?')
    expect(buttonsOf(html)).toEqual(expect.arrayContaining(['Keep it', 'Replace it']))
    expect(bringKeptSecret).not.toHaveBeenCalled()
  })

  test('where nothing is kept it says how the other device does that', () => {
    const html = dialog({ vault: null })
    expect(html).toContain('choose “Keep for other devices”')
    // It looks as it opens.
    expect(buttonsOf(html)).toEqual(['I have lost them', 'Looking...'])
  })

  test('at an address without https it says so', () => {
    vi.stubGlobal('crypto', {})
    const html = dialog()
    expect(html).toContain('At an address without https')
    expect(buttonsOf(html)).toEqual(['I have lost them'])
  })
})

describe('a lost secret', () => {
  const onBrought = vi.fn()
  const dialog = (anewFrom: string) =>
    rendered(<BringSecretDialog {...opened} isLost onBrought={onBrought} />, withOwn({ anewFrom }))

  test('is replaced from its day on, and what that means is said before', async () => {
    const html = dialog('2020-10-01')
    expect(html).toContain('You can never change or remove it any more.')
    expect(buttonsOf(html)).toEqual(['Cancel', 'Begin anew'])
    expect(await form.send()).toBeUndefined()
    expect(replaceLostSecret).toHaveBeenCalledOnce()
    expect(onBrought).toHaveBeenCalledOnce()
    expect(said()).toMatchObject([{ title: 'You have begun anew' }])
  })

  test('waits for its day before, which is named', () => {
    const html = dialog('2999-10-01')
    expect(html).toContain('1 October 2999')
    expect(buttonsOf(html)).toEqual(['Close'])
  })

  test('stays lost where the server says no', async () => {
    vi.mocked(replaceLostSecret).mockRejectedValue(new ApiError(403, 'forbidden', 'Not yet'))
    dialog('2020-10-01')
    expect(await form.send()).toEqual({ form: 'Not yet' })
    expect(onOpenChange).not.toHaveBeenCalled()
  })
})
