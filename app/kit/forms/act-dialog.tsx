/** Asks before something is done, and shows the server's refusal in the dialog. Load it with `lazyDialog`. */
import { type ReactNode, useId } from 'react'
import { Button, type ButtonVariant, CancelButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { OpenProps } from '../ui/lazy-component.tsx'
import { FormError, type FormErrors, useForm } from './form.tsx'
import { errorSentence } from './refusal.ts'

export function ActDialog<Field extends string = never>(props: ActDialogProps<Field>) {
  const { open, onOpenChange, title, texts, variant = 'danger', check, act, onDone } = props
  const formId = useId()
  const { form, errors, isBusy } = useForm<Field>({
    check,
    send: async () => {
      try {
        await act()
      } catch (error) {
        return { form: errorSentence(error) } as FormErrors<Field>
      }
      onOpenChange(false)
      onDone?.()
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={texts.text}
      footer={
        <>
          <CancelButton onCancel={() => onOpenChange(false)}>{texts.cancel}</CancelButton>
          <Button
            type="submit"
            form={formId}
            variant={variant}
            busy={isBusy}
            busyLabel={texts.busy}
          >
            {texts.confirm}
          </Button>
        </>
      }
    >
      <form id={formId} {...form} className="grid gap-5">
        <FormError>{errors.form}</FormError>
        {props.children?.(errors)}
      </form>
    </Dialog>
  )
}

export type ActDialogProps<Field extends string> = OpenProps & {
  title: string
  texts: { text: string; confirm: string; busy: string; cancel?: string }
  variant?: ButtonVariant
  /** Checks the fields before anything is sent. */
  check?: () => FormErrors<Field>
  act: () => Promise<unknown>
  /** Called once it's done and the dialog closes. */
  onDone?: () => void
  children?: (errors: FormErrors<Field>) => ReactNode
}
