/** What stands around a form control: its label, its hint and its error, tied by ids. */

import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'

export type FieldProps = {
  label: ReactNode
  /** Keeps the label for screen readers only, where the place says it to the eye. */
  isLabelHidden?: boolean
  hint?: ReactNode
  error?: ReactNode
}

/** Ids for one control and what describes it; spread `control` on the control itself. */
export function useField(props: FieldProps & { id?: string; required?: boolean }) {
  const ownId = useId()
  const id = props.id ?? ownId
  const hintId = props.hint ? `${id}-hint` : undefined
  const errorId = props.error ? `${id}-error` : undefined
  return {
    id,
    hintId,
    errorId,
    control: {
      id,
      'aria-describedby': cx(errorId, hintId) || undefined,
      'aria-invalid': props.error ? true : undefined,
    },
  }
}

/** Label above, hint or error below. */
export function Field(props: FieldProps & { ids: FieldIds; children: ReactNode }) {
  const { label, isLabelHidden, hint, error, ids, children } = props
  return (
    <div className="grid gap-1.5">
      <label
        htmlFor={ids.id}
        className={cx(isLabelHidden ? 'sr-only' : 'text-sm font-medium text-ink')}
      >
        {label}
      </label>
      {children}
      <FieldNotes hint={hint} error={error} ids={ids} />
    </div>
  )
}

/** The hint and the error under a control. */
export function FieldNotes({ hint, error, ids }: FieldNotesProps) {
  return (
    <>
      {hint && (
        <p id={ids.hintId} className="text-sm text-ink-faint">
          {hint}
        </p>
      )}
      {error && (
        <p id={ids.errorId} className="text-sm text-danger">
          {error}
        </p>
      )}
    </>
  )
}

export type FieldIds = Pick<ReturnType<typeof useField>, 'id' | 'hintId' | 'errorId'>
type FieldNotesProps = Pick<FieldProps, 'hint' | 'error'> & { ids: FieldIds }
