/** What a form hears that stands in a dialog, whose dialog stands in another form: React lets events bubble out. */
import type { FormEvent } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { useForm } from './use-form.ts'

function formOf(send: () => Promise<void>) {
  let form: ReturnType<typeof useForm>['form'] | undefined
  function Probe() {
    form = useForm({ send }).form
    return null
  }
  renderToString(<Probe />)
  return form as NonNullable<typeof form>
}

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
  await formOf(send).onSubmit(event)
  expect(send).toHaveBeenCalledOnce()
  expect(preventDefault).toHaveBeenCalledOnce()
})

test('a form in a dialog sends itself alone, and not the form around the dialog', async () => {
  const send = vi.fn(async () => undefined)
  const { event, preventDefault } = submitted({}, {})
  await formOf(send).onSubmit(event)
  expect(send).not.toHaveBeenCalled()
  // What becomes of it is for the form that was sent.
  expect(preventDefault).not.toHaveBeenCalled()
})
