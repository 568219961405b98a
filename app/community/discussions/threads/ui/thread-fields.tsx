import type { FormErrors } from '#app/kit/forms/form.tsx'
import { TextFields } from '#app/kit/writing/draft-form.tsx'
import { BODY_MAX, TITLE_MAX, TITLE_MIN } from '../../discussion.ts'
import { threadProblems } from '../thread-draft.ts'
import { TopicPicker } from './topic-picker.tsx'

export function ThreadFields({ thread, errors, onChange }: ThreadFieldsProps) {
  return (
    <>
      <TextFields
        text={thread}
        errors={errors}
        problems={threadProblems(thread)}
        onChange={onChange}
        titleLimits={{ min: TITLE_MIN, max: TITLE_MAX }}
        label="Text"
        name="body"
        placeholder="What happened, or what would you like to know?"
        max={BODY_MAX}
      />
      <TopicPicker chosen={thread.topics} onChange={(topics) => onChange({ topics })} />
    </>
  )
}

interface ThreadFieldsProps {
  thread: { title: string; body: string; topics: string[] }
  errors: FormErrors<'title' | 'body'>
  onChange: (part: { title?: string; body?: string; topics?: string[] }) => void
}
