import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Circle, CircleCheck } from 'lucide'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { reportError } from '#app/kit/forms/refusal.ts'
import { settingsPath } from '#app/kit/session/settings.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'
import type { AdministrationContract, SetUp } from '../administration.contract.ts'
import { sayStep, setUpQuery } from '../set-up.data.ts'
import { SAYABLE, type SayableStep, SET_UP_TEXTS } from '../set-up.ts'

/** The owner's setup checklist. Renders nothing until loaded, so it leaves no gap once it's hidden. */
export function SetUpList() {
  const api = useApi<AdministrationContract>()
  const queryClient = useQueryClient()
  const { data } = useQuery(setUpQuery(api))
  const [isBusy, setBusy] = useState(false)
  if (!data || data.isPutAway) return null
  const done = data.steps.filter(({ isDone }) => isDone).length
  const isAllDone = done === data.steps.length
  const say = async (step: SayableStep | 'put-away') => {
    setBusy(true)
    await sayStep({ api, queryClient }, step).catch(reportError("Couldn't save that"))
    setBusy(false)
  }
  return (
    <section
      aria-labelledby="set-up"
      aria-busy={isBusy}
      className="mt-8 rounded-xl border border-line bg-surface p-4 md:p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="set-up" className="font-serif text-xl font-medium tracking-tight text-ink">
          Before you launch
        </h2>
        <p role="status" className="text-sm text-ink-soft tabular-nums">
          {isAllDone ? 'All done' : `${done} of ${data.steps.length} done`}
        </p>
      </div>
      <ul className="mt-3 grid gap-x-8 md:grid-cols-2">
        {data.steps.map((step) => (
          <Step key={step.step} step={step} isBusy={isBusy} onSay={say} />
        ))}
      </ul>
      {isAllDone && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-4"
          busy={isBusy}
          busyLabel="Hiding..."
          onClick={() => say('put-away')}
        >
          Hide this list
        </Button>
      )}
    </section>
  )
}

const isSayable = (step: string): step is SayableStep =>
  (SAYABLE as readonly string[]).includes(step)

function Step({ step: { step, isDone, said }, isBusy, onSay }: StepProps) {
  const { flags } = useSite()
  const { title, text, href, link, say } = SET_UP_TEXTS[step]
  return (
    <li className="flex gap-3 border-t border-line py-3">
      <Icon
        of={isDone ? CircleCheck : Circle}
        className={cx('mt-0.5 size-5 shrink-0', isDone ? 'text-leaf' : 'text-ink-faint')}
      />
      <div className="min-w-0 text-sm leading-6">
        <p className="font-medium text-ink">
          {title}
          <span className="sr-only">{isDone ? ': done' : ': not done yet'}</span>
        </p>
        <p className="break-words text-ink-soft">{said ?? text}</p>
        {!isDone && (
          <p className="mt-0.5 flex flex-wrap items-center gap-x-4">
            <a href={href.startsWith('#') ? settingsPath(flags) + href : href} className={linkLook}>
              {link}
            </a>
            {say && isSayable(step) && (
              <Button
                variant="link"
                size="sm"
                // As tall as its line, like the link beside it.
                className="-my-2 font-normal md:-my-1.5"
                disabled={isBusy}
                onClick={() => onSay(step)}
              >
                {say}
              </Button>
            )}
          </p>
        )}
      </div>
    </li>
  )
}

interface StepProps {
  step: SetUp['steps'][number]
  isBusy: boolean
  onSay: (step: SayableStep) => void
}
