/** Until when a legal notice wants its answer, as time that is left; red when it is late. */
import { Clock } from 'lucide'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { useMinute } from '#app/kit/ui/relative-time.tsx'
import { clockText } from './clock-text.ts'

export function NoticeClock({ answerBy }: { answerBy: string }) {
  const { text, isLate } = clockText(answerBy, useMinute())
  return (
    <Badge tone={isLate ? 'danger' : 'tea'} icon={<Icon of={Clock} />}>
      <time dateTime={answerBy}>
        <span className="sr-only">Answer: </span>
        {text}
      </time>
    </Badge>
  )
}
