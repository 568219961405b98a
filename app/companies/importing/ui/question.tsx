import { type ReactNode, useId } from 'react'

interface QuestionProps<Answer extends string> {
  /** For screen readers. Sighted people read the children. */
  legend: string
  hint: string
  choices: readonly (readonly [Answer, string])[]
  chosen: Answer | undefined
  onChoose: (answer: Answer) => void
  children: ReactNode
}

/** A row of a list of questions with few answers each. */
export function Question<Answer extends string>(props: QuestionProps<Answer>) {
  const { legend, hint, choices, chosen, onChoose, children } = props
  const name = useId()
  return (
    <li className="focus-within:bg-sunken">
      <fieldset className="grid gap-x-4 gap-y-2 px-3 py-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
        <legend className="sr-only">{legend}</legend>
        <div className="min-w-0 text-sm leading-6">
          <p className="[overflow-wrap:anywhere]">{children}</p>
          <p className="text-xs leading-5 text-ink-soft">{hint}</p>
        </div>
        <div className="flex flex-wrap gap-x-4">
          {choices.map(([value, label]) => (
            <label key={value} className="flex min-h-10 items-center gap-2 text-sm md:min-h-8">
              <input
                type="radio"
                name={name}
                value={value}
                className="size-4 accent-tea"
                checked={chosen === value}
                onChange={() => onChoose(value)}
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
    </li>
  )
}
