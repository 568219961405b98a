/** What forms for posts share: the title and text with the leak guard, and a whole form for short ones. */
import { type ReactNode, type RefObject, useRef } from 'react'
import { FormError, type FormErrors, useForm } from '../forms/form.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { DraftNotice, type FormDraft } from './draft-notice.tsx'
import { LeakWarnings, useContactQuestion } from './leak-warnings.tsx'
import { type EditorHandle, MarkdownEditor, type MarkdownEditorProps } from './markdown-editor.tsx'
import { lengthOf } from './text.ts'

/** A form for one text, and for a title unless that's null. */
export function DraftForm(props: DraftFormProps) {
  const { draft, send, onCancel, submitLabel, busyLabel, below, aside, children, ...fields } = props
  const askAboutContacts = useContactQuestion()
  const { title, body } = draft.text
  const { form, errors, isBusy } = useForm<'title' | 'body'>({
    storedIn: 'browser',
    check: () => ({ ...fields.problems, form: draft.whyNot?.() }),
    send: async () => {
      const isAsked = fields.leakGuard !== 'off'
      const question = isAsked && (await askAboutContacts(`${title ?? ''}\n${body}`))
      return question || send()
    },
  })
  const hasTitle = typeof title === 'string'
  const notice = <DraftNotice draft={draft} />
  return (
    <form {...form} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {hasTitle && notice}
      <TextFields {...fields} text={draft.text} errors={errors} onChange={draft.change} isCompact>
        {!hasTitle && notice}
        {children}
      </TextFields>
      {below}
      <FormError>{errors.form}</FormError>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        {aside}
        <div className="ml-auto flex gap-2">
          {onCancel && (
            <Button variant="ghost" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" busy={isBusy} busyLabel={busyLabel}>
            {submitLabel}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** Once a field was refused, it shows its current problem. */
export function TextFields(props: TextFieldsProps & TextFieldsState) {
  const { text, errors, problems, onChange, titleLimits, leakGuard, children, ...editor } = props
  const { title, body } = text
  const titleBox = useRef<HTMLInputElement>(null)
  const ownRef = useRef<EditorHandle>(null)
  const bodyBox = editor.ref ?? ownRef
  const selectTitle = (start: number, end: number) => {
    titleBox.current?.focus()
    titleBox.current?.setSelectionRange(start, end)
  }
  const selectBody = (start: number, end: number) => bodyBox.current?.select(start, end)
  const hasTitle = typeof title === 'string'
  return (
    <>
      {hasTitle && titleLimits && (
        <TextField
          ref={titleBox}
          label="Title"
          name="title"
          autoComplete="off"
          hint={`${titleLimits.min} to ${titleLimits.max} characters`}
          limit={{ length: lengthOf(title.trim()), max: titleLimits.max }}
          value={title}
          onChange={(event) => onChange({ title: event.target.value })}
          error={errors.title && problems.title}
          className="text-base md:h-11 md:text-base"
        />
      )}
      <MarkdownEditor
        {...editor}
        ref={bodyBox}
        value={body}
        onChange={(body) => onChange({ body })}
        error={errors.body && problems.body}
      />
      {children}
      {leakGuard !== 'off' && (
        <LeakWarnings
          isAmongColleagues={leakGuard === 'colleagues'}
          places={[
            ...(hasTitle ? [{ text: title, select: selectTitle }] : []),
            { text: body, select: selectBody },
          ]}
        />
      )}
    </>
  )
}

interface Text {
  /** Null if the form has no title. */
  title?: string | null
  body: string
}

type EditorProps = Omit<MarkdownEditorProps, 'value' | 'onChange' | 'error' | 'ref'>

interface TextFieldsProps extends EditorProps {
  ref?: RefObject<EditorHandle | null>
  problems: { title?: string | undefined; body?: string | undefined }
  titleLimits?: { min: number; max: number }
  /** Who might recognize the writer. By default, everyone. */
  leakGuard?: 'colleagues' | 'off'
  /** Shown below the text. */
  children?: ReactNode
}

interface TextFieldsState {
  text: Text
  errors: FormErrors<'title' | 'body'>
  onChange: (part: { title?: string; body?: string }) => void
}

export interface DraftFormProps extends TextFieldsProps {
  draft: FormDraft<Text>
  /** Rejects with the server's refusal. */
  send: () => Promise<void>
  submitLabel: string
  busyLabel: string
  onCancel?: (() => void) | undefined
  /** Shown above the buttons. */
  below?: ReactNode
  /** Shown next to the buttons. */
  aside?: ReactNode
}
