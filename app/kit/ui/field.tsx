/** A form control's label, hint and error, tied by ids. */
import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import { grouped } from './number.ts'

export type FieldProps = {
  label: ReactNode
  /** Shows the label to screen readers only. */
  isLabelHidden?: boolean
  hint?: ReactNode
  error?: ReactNode
  limit?: CharacterLimit
}

/** Spread `control` on the control itself. */
export function useField(props: FieldProps & { id?: string; required?: boolean }) {
  const ownId = useId()
  const id = props.id ?? ownId
  const hintId = props.hint ? `${id}-hint` : undefined
  const errorId = props.error ? `${id}-error` : undefined
  const countId = props.limit && isLimitTold(props.limit) ? `${id}-count` : undefined
  return {
    id,
    hintId,
    errorId,
    countId,
    control: {
      id,
      'aria-describedby': cx(errorId, hintId, countId) || undefined,
      'aria-invalid': props.error ? true : undefined,
    },
  }
}

export function Field(props: FieldProps & { ids: FieldIds; children: ReactNode }) {
  const { label, isLabelHidden, hint, error, limit, ids, children } = props
  return (
    <div className="grid gap-1.5">
      <label
        htmlFor={ids.id}
        className={cx(isLabelHidden ? 'sr-only' : 'text-sm font-medium text-ink')}
      >
        {label}
      </label>
      {children}
      <FieldNotes hint={hint} error={error} limit={limit} ids={ids} />
    </div>
  )
}

export function FieldNotes({ hint, error, limit, ids }: FieldNotesProps) {
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
      {limit && <CharacterCount id={ids.countId} limit={limit} />}
    </>
  )
}

export type FieldIds = Pick<ReturnType<typeof useField>, 'id' | 'hintId' | 'errorId' | 'countId'>
type FieldNotesProps = Pick<FieldProps, 'hint' | 'error' | 'limit'> & { ids: FieldIds }

/** People who write little don't see the limit. */
const SHOWN_FROM = 0.5

export interface CharacterLimit {
  /** Counted as the server counts. */
  length: number
  max: number
}

export const isLimitTold = ({ length, max }: CharacterLimit) => length >= max * SHOWN_FROM

/** Nothing while there's enough room. */
export function CharacterCount({ id, limit }: { id?: string; limit: CharacterLimit }) {
  const { length, max } = limit
  if (!isLimitTold(limit)) return null
  const over = length - max
  return (
    <p
      id={id}
      className={cx('text-right text-sm tabular-nums', over > 0 ? 'text-danger' : 'text-ink-faint')}
    >
      {over > 0
        ? over === 1
          ? '1 character too many'
          : `${grouped(over)} characters too many`
        : `${grouped(length)} of ${grouped(max)} characters`}
    </p>
  )
}
