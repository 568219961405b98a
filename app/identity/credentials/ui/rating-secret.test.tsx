/** Where a person's ratings are, what each place offers, and what the windows say. */
import { QueryClient } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/client.ts'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { reauthenticate } from '../../accounts/sign-in/sign-in.data.ts'
import type { Holder } from '../holder.data.ts'
import { startOver } from '../issuing.data.ts'
import { SecretElsewhere } from '../issuing-problem.data.ts'
import type { OwnCredential } from '../own-credential.data.ts'
import { backUpSecret, restoreBackup } from '../secret-backup.data.ts'
import { BackUpSecretDialog } from './back-up-secret-dialog.tsx'
import { FirstWordsDialog } from './first-words-dialog.tsx'
import { RatingSecretSettings } from './rating-secret-settings.tsx'
import { RestoreSecretDialog } from './restore-secret-dialog.tsx'

const here = vi.hoisted(() => ({ holder: null as Holder | null }))
vi.mock('../holder.data.ts', () => ({
  useHolder: () => here.holder,
  storedHolder: () => here.holder,
  forgetTwelveWords: vi.fn(),
}))
vi.mock('#app/kit/session/session.data.ts', async (original) => ({
  ...(await original<object>()),
  useSession: () => ({ status: 'signed-in', me: { email: 'dana@people.example' } }),
  useSessionKey: () => 'danas-profile',
}))
vi.mock('../../accounts/sign-in/sign-in.data.ts', () => ({ reauthenticate: vi.fn() }))
vi.mock('../issuing.data.ts', () => ({ startOver: vi.fn() }))
vi.mock('../secret-backup.data.ts', () => ({ backUpSecret: vi.fn(), restoreBackup: vi.fn() }))
// A window stands outside of the page's flow, where the server draws nothing.
vi.mock('#app/kit/ui/dialog.tsx', async (original) => ({
  ...(await original<object>()),
  Dialog: ({ title, description, children }: Record<string, ReactNode>) =>
    createElement('section', null, createElement('h2', null, title), description, children),
}))
const form = vi.hoisted(() => ({
  check: (() => ({})) as () => object,
  send: (async () => undefined) as () => Promise<unknown>,
}))
vi.mock('#app/kit/forms/form.tsx', async (original) => ({
  ...(await original<object>()),
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
const stored: Holder = { m1: 'm1', r: 'r' }
const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ')
const buttonsOf = (html: string) =>
  [...html.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map(([, text = '']) => textOf(text).trim())
const said = () => currentToasts().filter(({ open }) => open)
const onOpenChange = vi.fn()
const opened = { open: true, onOpenChange }

beforeEach(() => {
  here.holder = null
  dismissToast()
  for (const mock of [onOpenChange, backUpSecret, restoreBackup, startOver, reauthenticate])
    vi.mocked(mock).mockReset()
})

describe('the section in the settings', () => {
  const section = (over: Partial<OwnCredential>, holder: Holder | null = null) => {
    here.holder = holder
    return rendered(<RatingSecretSettings />, withOwn(over))
  }

  test.each([
    [
      'nobody has rated yet',
      { isCommitted: false, anewFrom: null },
      null,
      'Nothing to back up yet',
      [],
    ],
    [
      'only this device has it',
      {},
      stored,
      'Only this device can change',
      ['Back up your ratings', 'Move to another device'],
    ],
    [
      'its words are still to be written down',
      { vault: 'AQ' },
      { ...stored, hasBackup: true as const, words: { bits: 'A'.repeat(22) } },
      'write down twelve words',
      ['Show twelve words', 'Use a passkey or password', 'Move to another device'],
    ],
    [
      'it is kept',
      { vault: 'AQ' },
      stored,
      'Unlock it there with your twelve words',
      ['Get new words', 'Move to another device'],
    ],
    ['another device has it', {}, null, 'are on another device', ['Restore', 'I’ve lost my words']],
    [
      'it was begun anew elsewhere',
      {},
      { ...stored, isRefused: true as const },
      'You started over on another device',
      ['Restore', 'I’ve lost my words'],
    ],
  ])('the section fits where the secret is: %s', (_, over, holder, text, buttons) => {
    const html = section(over, holder)
    expect(html).toContain(text)
    expect(buttonsOf(html)).toEqual(buttons)
    expect(html).toMatch(/<h2 id="your-ratings-title"[^>]*>Your ratings<\/h2>/)
    expect(html).toContain('What is this?')
  })

  test('the section says so without https, where dana can still start over', () => {
    vi.stubGlobal('crypto', {})
    expect(buttonsOf(section({}, stored))).toEqual([])
    const html = section({})
    expect(html).toContain('Without https')
    expect(buttonsOf(html)).toEqual(['I’ve lost my words'])
    expect(section({ isCommitted: false })).not.toContain('https')
  })

  test('the section keeps its place while it loads', () => {
    const html = rendered(<RatingSecretSettings />)
    expect(html).toContain('rounded-lg')
    expect(buttonsOf(html)).toEqual([])
  })

  test('the section offers to try again if it couldn’t load', async () => {
    const queryClient = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } })
    await queryClient.prefetchQuery({
      queryKey: ['me', 'credential', 'danas-profile'],
      queryFn: () => Promise.reject(new Error('no')),
      retry: false,
    })
    const html = rendered(<RatingSecretSettings />, { queryClient })
    expect(html).toContain('Couldn’t load your backup.')
    expect(buttonsOf(html)).toEqual(['Try Again'])
  })
})

describe('the backup dialog', () => {
  const words = (html: string) =>
    [...html.matchAll(/<span class="font-medium">(\w+)<\/span>/g)].map(([, word]) => word)
  const dialog = (isKept = false) =>
    rendered(<BackUpSecretDialog {...opened} isKept={isKept} />, withOwn())

  test('the backup dialog shows twelve new words each time, and warns about passwords', () => {
    const html = dialog()
    expect(words(html)).toHaveLength(12)
    expect(words(dialog())).not.toEqual(words(html))
    expect(html).toContain('<h2>Back up your ratings</h2>')
    expect(html).toContain('guesses it from a stolen copy of our database')
    expect(dialog(true)).toContain('replace every earlier way to unlock your backup')
  })

  test('the backup dialog shows the first words from this browser, and then forgets them', () => {
    here.holder = { ...stored, hasBackup: true, words: { bits: 'A'.repeat(22) } }
    const html = rendered(<FirstWordsDialog {...opened} onWritten={() => {}} />)
    expect(words(html)).toEqual([...Array(11).fill('abandon'), 'about'])
    expect(buttonsOf(html)).toEqual(expect.arrayContaining(['Not yet', 'I’ve written them down']))
  })

  test('the backup dialog seals with the words alone, closes and says so', async () => {
    dialog()
    expect(await form.send()).toBeUndefined()
    expect(vi.mocked(backUpSecret).mock.calls[0]?.slice(1)).toEqual([
      'danas-profile',
      [{ kind: 'words', bits: expect.any(Uint8Array) }],
    ])
    expect(reauthenticate).not.toHaveBeenCalled()
    expect(onOpenChange).toHaveBeenCalledWith(false)
    expect(said()).toMatchObject([{ title: 'Your ratings are backed up' }])
  })

  test('the backup dialog stays open with the reason if it’s refused', async () => {
    vi.mocked(backUpSecret).mockRejectedValue(new ApiError(403, 'forbidden', 'Not today'))
    dialog()
    expect(await form.send()).toEqual({ form: 'Not today' })
    expect(onOpenChange).not.toHaveBeenCalled()
  })
})

describe('the restore dialog', () => {
  const onBrought = vi.fn()
  const dialog = (over: Partial<OwnCredential> = { vault: 'AQ' }) =>
    rendered(<RestoreSecretDialog {...opened} onBrought={onBrought} />, withOwn(over))
  beforeEach(() => onBrought.mockReset())

  test('the restore dialog asks for the words or password, or a passkey if the browser has any', () => {
    const html = dialog()
    expect(html).toContain('<h2>Restore your ratings</h2>')
    expect(html.match(/type="radio"[^>]*value="(\w+)"/g)).toHaveLength(2)
    expect(html).toContain('Twelve words')
    expect(buttonsOf(html)).toEqual(['Choose the file', 'I’ve lost my words', 'Cancel', 'Restore'])
    expect(form.check()).toEqual({ words: 'Type your twelve words, or choose the file' })
    vi.stubGlobal('PublicKeyCredential', () => {})
    vi.stubGlobal('navigator', { credentials: { get: () => {} } })
    expect(dialog()).toContain('value="passkey"')
  })

  test('the restore dialog announces the ratings, and what waited for them continues', async () => {
    vi.mocked(restoreBackup).mockResolvedValue('restored')
    dialog()
    expect(await form.send()).toBeUndefined()
    expect(onOpenChange).toHaveBeenCalledWith(false)
    expect(onBrought).toHaveBeenCalledOnce()
    expect(said()).toMatchObject([{ title: 'Your ratings are now on this device' }])
  })

  test('the restore dialog shows wrong words next to the field', async () => {
    vi.mocked(restoreBackup).mockResolvedValue('closed')
    dialog()
    expect(await form.send()).toEqual({
      words: expect.stringContaining('These words don’t unlock your ratings'),
    })
    expect(onBrought).not.toHaveBeenCalled()
  })

  test('the restore dialog says if the words’ secret has been replaced', async () => {
    vi.mocked(restoreBackup).mockRejectedValue(new SecretElsewhere())
    dialog()
    expect(await form.send()).toEqual({ form: expect.stringContaining('started over') })
  })

  test('the restore dialog asks before it replaces this device’s own secret', () => {
    expect(buttonsOf(dialog())).toEqual(expect.arrayContaining(['Cancel', 'Restore']))
    here.holder = { ...stored, isRefused: true }
    const html = dialog()
    expect(html).toContain('This device has its own secret')
    expect(html).toContain('Keep this one, or replace it?')
    expect(buttonsOf(html)).toEqual(expect.arrayContaining(['Keep it', 'Replace it']))
    expect(restoreBackup).not.toHaveBeenCalled()
  })

  test('the restore dialog says how the other device makes a backup if there’s none', () => {
    const html = dialog({ vault: null })
    expect(html).toContain('choose “Back up your ratings”')
    // It looks as it opens.
    expect(buttonsOf(html)).toEqual(['I’ve lost my words', 'Checking...'])
  })

  test('the restore dialog says so without https', () => {
    vi.stubGlobal('crypto', {})
    const html = dialog()
    expect(html).toContain('Without https')
    expect(buttonsOf(html)).toEqual(['I’ve lost my words'])
  })
})

describe('a lost secret', () => {
  const onBrought = vi.fn()
  const dialog = (anewFrom: string) =>
    rendered(
      <RestoreSecretDialog {...opened} isLost onBrought={onBrought} />,
      withOwn({ anewFrom }),
    )

  test('the dialog replaces a lost secret from its day on, and says first what that means', async () => {
    const html = dialog('2020-10-01')
    expect(html).toContain('You won’t be able to change or remove them.')
    expect(buttonsOf(html)).toEqual(['Cancel', 'Start over'])
    expect(await form.send()).toBeUndefined()
    expect(startOver).toHaveBeenCalledOnce()
    expect(onBrought).toHaveBeenCalledOnce()
    expect(said()).toMatchObject([{ title: 'You started over' }])
  })

  test('the dialog names the day before which a lost secret can’t be replaced', () => {
    const html = dialog('2999-10-01')
    expect(html).toContain('1 October 2999')
    expect(buttonsOf(html)).toEqual(['Close'])
  })

  test('the dialog stays open if the server refuses to replace a lost secret', async () => {
    vi.mocked(startOver).mockRejectedValue(new ApiError(403, 'forbidden', 'Not yet'))
    dialog('2020-10-01')
    expect(await form.send()).toEqual({ form: 'Not yet' })
    expect(onOpenChange).not.toHaveBeenCalled()
  })
})
