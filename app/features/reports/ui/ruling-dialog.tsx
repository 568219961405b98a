/** The window around a decision that needs more than a press. */
import { type ReactNode, useId } from 'react'
import { FormError } from '../../../forms/form-error.tsx'
import { refusalOf } from '../../../forms/refusal.ts'
import { type FormErrors, useForm } from '../../../forms/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OpenProps } from '../../../ui/lazy-component.tsx'

/** What was refused stays as it was typed, with the reason above it. */
export function RulingDialog<Name extends string>(props: RulingDialogProps<Name>) {
  const { open, onOpenChange, title, description, submitLabel, isDanger, check, send } = props
  const formId = useId()
  const { form, errors, isBusy } = useForm<Name>({
    check,
    send: async () => {
      try {
        await send()
      } catch (error) {
        return { form: refusalOf(error) } as FormErrors<Name>
      }
      onOpenChange(false)
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant={isDanger ? 'danger' : 'primary'}
            busy={isBusy}
            busyLabel="Sending..."
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} {...form} className="grid gap-5">
        <FormError>{errors.form}</FormError>
        {props.children(errors)}
      </form>
    </Dialog>
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
