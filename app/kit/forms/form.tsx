/** A form that checks its fields and sends them once. */

import { CircleAlert } from 'lucide'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Icon } from '../ui/icon.tsx'
import { asksFirst, markSaved, markSent, markUnsent, type StoredIn } from '../ui/unsaved-guard.ts'
import { sendingProblem } from './refusal.ts'

/** Errors by field. `form` is for errors that no field can fix. */
export type FormErrors<Name extends string> = { [Key in Name | 'form']?: string }

/**
 * Spread `form` on the `<form>`. `check` returns errors; `send` returns or throws them. The first invalid field gets
 * the focus (by `aria-invalid`). Enter in a field named `title` moves to the text. People are asked before they lose
 * unsent text. `clearErrors` is for a field that has changed since.
 */
export function useForm<Name extends string = never>({ check, send, storedIn }: FormParts<Name>) {
  const ref = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FormErrors<Name>>({})
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    if (!hasErrors(errors)) return
    // A button that was disabled meanwhile lost the focus.
    const lost = document.activeElement === document.body
    const field = ref.current?.querySelector<HTMLElement>('[aria-invalid]')
    if (field) field.focus()
    else if (lost) ref.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }, [errors])

  const onSubmit = async (event: FormEvent) => {
    // React lets a dialog's form bubble to the form that opened it.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    if (isBusy) return
    const found = check?.() ?? {}
    setErrors(found)
    if (hasErrors(found)) return
    const sent = event.currentTarget as HTMLFormElement
    markSent(sent)
    setBusy(true)
    const refused = await Promise.resolve(send()).catch(
      (error): FormErrors<never> => ({ form: sendingProblem(error) }),
    )
    setBusy(false)
    if (refused) {
      markUnsent(sent)
      setErrors(refused)
    } else markSaved(sent)
  }
  // If it's sent before scripts load, nothing ends up in the address.
  const form = {
    ref,
    onSubmit,
    onKeyDown: goOnToText,
    noValidate: true,
    method: 'post',
    ...asksFirst(storedIn),
  }
  const clearErrors = () => setErrors({})
  return { form, errors, isBusy, clearErrors }
}

/** Someone who presses Enter after the title doesn't want to send just that. */
function goOnToText(event: KeyboardEvent<HTMLFormElement>) {
  const { key, ctrlKey, metaKey, target, currentTarget, nativeEvent } = event
  if (key !== 'Enter' || ctrlKey || metaKey || nativeEvent.isComposing) return
  const { form, name } = target as HTMLInputElement
  const text = form === currentTarget && name === 'title' && form.querySelector('textarea')
  if (!text) return
  event.preventDefault()
  text.focus()
}

const hasErrors = (errors: object) => Object.values(errors).some(Boolean)

interface FormParts<Name extends string> {
  check?: () => FormErrors<Name>
  // biome-ignore lint/suspicious/noConfusingVoidType: a send that has nothing to say says nothing
  send: () => Promise<FormErrors<Name> | undefined | void>
  /** Where the form's text survives if someone leaves, as drafts do. */
  storedIn?: StoredIn
}

/** Shows in the form why it couldn't be sent, because toasts are outside the dialog and disappear. */
export function FormError({ children }: { children?: string }) {
  return (
    <div role="alert" className="empty:hidden">
      {children && (
        <p className="flex gap-2.5 rounded-md bg-danger-soft px-3 py-2.5 text-sm leading-5 text-danger">
          <Icon of={CircleAlert} className="mt-0.5 size-4 shrink-0" />
          {children}
        </p>
      )}
    </div>
  )
}

/**
 * Closes a part of the page. If it had the focus, the element that opens it gets the focus. @param close sets the
 * state @param trigger is called afterwards, because the element may only appear then
 */
export function closeAndFocus(close: () => void, trigger: () => HTMLElement | null | undefined) {
  flushSync(close)
  if (document.activeElement === document.body) trigger()?.focus({ preventScroll: true })
}
