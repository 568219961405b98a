/** What a form hears that stands in a dialog, whose dialog stands in another form: React lets events bubble out. */
import type { FormEvent, KeyboardEvent } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { useForm } from './form.tsx'

interface ProbeProps {
  send: () => Promise<void>
  use: (form: ReturnType<typeof useForm>['form']) => void
}
function Probe({ send, use }: ProbeProps) {
  use(useForm({ send }).form)
  return null
}

function formSending(send: ProbeProps['send']) {
  const forms: Parameters<ProbeProps['use']>[0][] = []
  renderToString(<Probe send={send} use={(form) => forms.push(form)} />)
  return forms[0]
}
const submit = (send: ProbeProps['send'], event: FormEvent) => formSending(send)?.onSubmit(event)

/** As React hands it to the form `at`: sent is `sent`. */
const submitted = (sent: object, at: object) => {
  const preventDefault = vi.fn()
  const event = { target: sent, currentTarget: at, preventDefault }
  return { event: event as unknown as FormEvent, preventDefault }
}

test('a form sends itself', async () => {
  const send = vi.fn(async () => undefined)
  const form = {}
  const { event, preventDefault } = submitted(form, form)
  await submit(send, event)
  expect(send).toHaveBeenCalledOnce()
  expect(preventDefault).toHaveBeenCalledOnce()
})

test('a form in a dialog sends only itself, and not the form around the dialog', async () => {
  const send = vi.fn(async () => undefined)
  const { event, preventDefault } = submitted({}, {})
  await submit(send, event)
  expect(send).not.toHaveBeenCalled()
  // The outcome goes to the form that was sent.
  expect(preventDefault).not.toHaveBeenCalled()
})

test('Enter in a title moves to the text, and in other fields, or with Ctrl, sends the form', () => {
  const focus = vi.fn()
  const form = { querySelector: () => ({ focus }) }
  const pressed = (over: object, box: object = {}) => {
    const preventDefault = vi.fn()
    formSending(async () => {})?.onKeyDown({
      key: 'Enter',
      target: { form, name: 'title', ...box },
      currentTarget: form,
      nativeEvent: { isComposing: false },
      preventDefault,
      ...over,
    } as unknown as KeyboardEvent<HTMLFormElement>)
    return preventDefault.mock.calls.length > 0
  }
  expect(pressed({})).toBe(true)
  expect(focus).toHaveBeenCalledOnce()
  expect(pressed({ key: 'a' })).toBe(false)
  expect(pressed({ ctrlKey: true })).toBe(false)
  expect(pressed({ nativeEvent: { isComposing: true } })).toBe(false)
  expect(pressed({}, { name: 'option' })).toBe(false)
  expect(pressed({}, { form: { ...form } })).toBe(false)
  expect(focus).toHaveBeenCalledOnce()
})
