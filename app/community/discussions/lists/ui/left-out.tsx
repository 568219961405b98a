/** Below a list: what this browser leaves out of it, and the way back. Rarely needed. */

import type { ReactNode } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { plural } from '#app/kit/ui/format.ts'
import { useStored } from '#app/kit/ui/stored-value.ts'
import { NO_CHOICES, toggledNamed } from '../list-choices.ts'
import { listChoices, readThreads } from '../lists.data.ts'
import { NOTHING_READ } from '../read-threads.ts'

export function LeftOut() {
  const { hidden, companies, topics } = useStored(listChoices)
  const hasRead = useStored(readThreads).comments.length > 0
  return (
    <details className="mt-6 text-sm no-js:hidden">
      <summary className="inline-flex min-h-10 items-center text-ink-faint hover:text-ink">
        What this browser leaves out and remembers
      </summary>
      <div className="mt-1 grid max-w-xl gap-3 text-ink-soft">
        <p>This is kept in this browser alone; we never see it.</p>
        {(['companies', 'topics'] as const).map((of) =>
          (of === 'companies' ? companies : topics).map((named) => (
            <Line
              key={named.key}
              label="Unmute"
              what={named.name}
              onPress={() => listChoices.change((it) => toggledNamed(it, of, named))}
            >
              {`${named.name} is muted.`}
            </Line>
          )),
        )}
        {hidden.length > 0 && (
          <Line
            label="Show again"
            what="what is hidden"
            onPress={() => listChoices.change((it) => ({ ...it, hidden: NO_CHOICES.hidden }))}
          >
            {`${plural(hidden.length, 'thread')} hidden.`}
          </Line>
        )}
        {hasRead && (
          <Line
            label="Forget"
            what="what was read"
            onPress={() => readThreads.change(() => NOTHING_READ)}
          >
            Threads you’ve read are marked.
          </Line>
        )}
      </div>
    </details>
  )
}

interface LineProps {
  label: string
  what: string
  onPress: () => void
  children: ReactNode
}

const Line = ({ label, what, onPress, children }: LineProps) => (
  <p className="flex flex-wrap items-center justify-between gap-x-4">
    <span dir="auto" className="min-w-0">
      {children}
    </span>
    <Button variant="link" size="sm" onClick={onPress}>
      {label}
      <span className="sr-only">{` ${what}`}</span>
    </Button>
  </p>
)
