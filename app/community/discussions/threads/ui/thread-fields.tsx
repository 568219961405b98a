/** Title, text and topics of a thread: what can be changed later too. */
import { useRef } from 'react'
import type { FormErrors } from '#app/kit/forms/use-form.ts'
import { TextField } from '#app/kit/ui/text-field.tsx'
import { LeakWarnings } from '#app/kit/writing/leak-warnings.tsx'
import { type EditorHandle, MarkdownEditor } from '#app/kit/writing/markdown-editor.tsx'
import { BODY_MAX, TITLE_MAX, TITLE_MIN } from '../../discussion.ts'
import { bodyProblem, titleProblem } from '../thread-draft.ts'
import { TopicPicker } from './topic-picker.tsx'

export function ThreadFields({ thread, errors, onChange }: ThreadFieldsProps) {
  const { title, body, topics } = thread
  const titleBox = useRef<HTMLInputElement>(null)
  const editor = useRef<EditorHandle>(null)
  const selectTitle = (start: number, end: number) => {
    titleBox.current?.focus()
    titleBox.current?.setSelectionRange(start, end)
  }
  return (
    <>
      <TextField
        ref={titleBox}
        label="Title"
        name="title"
        autoComplete="off"
        hint={`${TITLE_MIN} to ${TITLE_MAX} characters`}
        limit={{ length: title.trim().length, max: TITLE_MAX }}
        value={title}
        onChange={(event) => onChange({ title: event.target.value })}
        // Once it was refused, it says how things stand.
        error={errors.title && titleProblem(title)}
        className="text-base md:h-11 md:text-base"
      />
      <MarkdownEditor
        ref={editor}
        label="Text"
        name="body"
        placeholder="What happened, or what would you like to know?"
        max={BODY_MAX}
        value={body}
        onChange={(body) => onChange({ body })}
        error={errors.body && bodyProblem(body)}
      />
      <LeakWarnings
        places={[
          { text: title, select: selectTitle },
          { text: body, select: (start, end) => editor.current?.select(start, end) },
        ]}
      />
      <TopicPicker chosen={topics} onChange={(topics) => onChange({ topics })} />
    </>
  )
}

interface ThreadFieldsProps {
  thread: { title: string; body: string; topics: string[] }
  errors: FormErrors<'title' | 'body'>
  onChange: (part: { title?: string; body?: string; topics?: string[] }) => void
}
