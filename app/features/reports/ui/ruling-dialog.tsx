/** The window around a decision that needs more than a press. */
import type { ReactNode } from 'react'
import { ActDialog } from '../../../forms/act-dialog.tsx'
import type { FormErrors } from '../../../forms/use-form.ts'
import type { OpenProps } from '../../../ui/lazy-component.tsx'

/** What was refused stays as it was typed, with the reason above it. */
export function RulingDialog<Name extends string>(props: RulingDialogProps<Name>) {
  const { description, submitLabel, isDanger, send, ...rest } = props
  return (
    <ActDialog
      {...rest}
      words={{ text: description, confirm: submitLabel, busy: 'Sending...' }}
      variant={isDanger ? 'danger' : 'primary'}
      act={send}
    />
  )
}

type RulingDialogProps<Name extends string> = OpenProps & {
  title: string
  description: string
  submitLabel: string
  isDanger?: boolean
  check?: () => FormErrors<Name>
  /** Rejects with what the server refused. */
  send: () => Promise<void>
  children: (errors: FormErrors<Name>) => ReactNode
}
