/** How much of a limit is used: the same words below every box that has one. */
import { cx } from './cx.ts'
import { grouped } from './number.ts'

/** Who writes little is not told of limits. */
const SHOWN_FROM = 0.5

export interface CharacterLimit {
  /** Of what is written, as it is counted when it is sent. */
  length: number
  max: number
}

export const isLimitTold = ({ length, max }: CharacterLimit) => length >= max * SHOWN_FROM

/** Nothing while there is room enough. */
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
