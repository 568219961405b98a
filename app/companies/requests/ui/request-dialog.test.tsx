/** What becomes of a request that is sent. Spec §2.8, §5, §8. */
import { createElement, type ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { currentToasts, dismissToast } from '#app/kit/ui/toast.ts'
import { rendered } from '#tests/support/rendered.tsx'
import { EMPTY_REQUEST } from '../company-request.ts'
import { requestCompany } from '../request.data.ts'
import { RequestDialog } from './request-dialog.tsx'

vi.mock('../request.data.ts', () => ({ requestCompany: vi.fn(), rememberedEmail: () => '' }))
// A window stands outside of the page's flow, where the server draws nothing.
vi.mock('#app/kit/ui/dialog.tsx', async (original) => ({
  ...(await original<object>()),
  Dialog: ({ title, children, footer }: Record<string, ReactNode>) =>
    createElement('section', { 'aria-label': String(title) }, children, footer),
  useOpenCount: () => here.round,
}))
/** Without a number an opening is the one that was sent. */
const here = vi.hoisted(() => ({
  round: 1 as number | undefined,
  unknown: [] as number[],
}))
vi.mock('react', async (original) => {
  const react = await original<typeof import('react')>()
  return {
    ...react,
    // The server has no effects: here they come after the drawing, as in a browser.
    useEffect: (effect: () => void) => queueMicrotask(effect),
    // When it opens, the dialog doesn't know yet which one was sent.
    useState: (first: unknown) => react.useState(first ?? here.unknown.shift()),
  }
})
const form = vi.hoisted(() => ({
  check: (): object => ({}),
  send: async () => {},
}))
vi.mock('#app/kit/forms/form.tsx', async (original) => ({
  ...(await original<object>()),
  useForm: (parts: typeof form) => {
    Object.assign(form, parts)
    return { form: {}, errors: {}, isBusy: false }
  },
}))

const said = () => currentToasts().filter(({ open }) => open)
const dialog = (companyName?: string) =>
  rendered(<RequestDialog open onOpenChange={() => {}} companyName={companyName} />)
beforeEach(() => {
  here.round = 1
  here.unknown = []
  dismissToast()
  vi.mocked(requestCompany).mockReset()
})

test('Spec §5: a blank name is a toast and an error of its field', () => {
  dialog(' ')
  expect(form.check()).toMatchObject({ companyName: 'Please enter a company name' })
  expect(said()).toMatchObject([{ title: 'Please enter a company name' }])
})

test('Spec §2.8: Submit is disabled meanwhile, and reads "Submitting..."', () => {
  const button = /<button type="submit" [^>]*disabled=""[^>]*>.*Submitting\.\.\.<\/button>/
  expect(dialog('Acme')).not.toMatch(button)
  here.unknown = [1]
  expect(dialog('Acme')).toMatch(button)
})

describe('Spec §8: a request', () => {
  test('a request that was sent has its toast', async () => {
    dialog('Acme')
    await form.send()
    expect(vi.mocked(requestCompany).mock.calls[0]?.[1]).toEqual({
      ...EMPTY_REQUEST,
      companyName: 'Acme',
    })
    expect(said()).toMatchObject([{ title: 'Company request submitted successfully!' }])
  })

  test('a request that failed is a destructive toast', async () => {
    vi.mocked(requestCompany).mockRejectedValue(new Error('No'))
    dialog('Acme')
    await expect(form.send()).rejects.toThrow('No')
    expect(said()).toMatchObject([
      {
        title: 'Failed to submit company request. Please try again.',
        variant: 'destructive',
      },
    ])
  })
})

test('Spec §2.8: a panel replaces the form and its buttons after success', () => {
  here.round = undefined
  const html = dialog()
  expect(html).toContain('<section aria-label="Request Submitted!">')
  expect(html).toContain("Thanks for your request. We'll review and add the company when approved.")
  expect(html).not.toMatch(/<form|<button/)
})

test('Spec §2.8, §9: the panel closes the dialog after 3000 ms, and the form does not', async () => {
  vi.useFakeTimers()
  const onOpenChange = vi.fn()
  for (const round of [1, undefined]) {
    here.round = round
    rendered(<RequestDialog open onOpenChange={onOpenChange} />)
    await Promise.resolve()
    vi.advanceTimersByTime(2_999)
    expect(onOpenChange).not.toHaveBeenCalled()
  }
  vi.advanceTimersByTime(1)
  expect(onOpenChange.mock.calls).toEqual([[false]])
  vi.useRealTimers()
})
