/** Cookie Preferences: four switches, one of them locked. Spec §2.18. Load it with `lazyDialog`. */
import { useEffect, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { OpenProps } from '../../ui/lazy-component.tsx'
import { currentConsent, decide } from '../consent.data.ts'
import { CATEGORIES, customized, DIALOG_TEXTS, PENDING } from '../consent.ts'

export function PreferencesDialog({ open, onOpenChange }: OpenProps) {
  const formId = useId()
  const [chosen, setChosen] = useState(PENDING.preferences)
  // Shows what's saved each time it opens.
  useEffect(() => {
    if (open) setChosen(currentConsent().preferences)
  }, [open])
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="md"
      title={DIALOG_TEXTS.title}
      description={DIALOG_TEXTS.lead}
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {DIALOG_TEXTS.cancel}
          </Button>
          <Button type="submit" form={formId}>
            {DIALOG_TEXTS.save}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault()
          decide(customized(chosen))
          onOpenChange(false)
        }}
        className="-my-4 divide-y divide-line"
      >
        {CATEGORIES.map(({ key, name, text }) =>
          key === 'essential' ? (
            <Category key={key} name={name} text={text} isOn isLocked />
          ) : (
            <Category
              key={key}
              name={name}
              text={text}
              isOn={chosen[key]}
              onSwitch={(isOn) => setChosen({ ...chosen, [key]: isOn })}
            />
          ),
        )}
      </form>
    </Dialog>
  )
}

function Category({ name, text, isOn, isLocked, onSwitch }: CategoryProps) {
  const id = useId()
  return (
    <label className={cx('flex items-start gap-5 py-4', !isLocked && 'cursor-pointer')}>
      <span className="min-w-0 flex-1 text-sm">
        <span className="flex flex-wrap items-baseline gap-x-2 leading-5">
          <span id={id} className="font-medium text-ink">
            {name}
          </span>
          {isLocked && <span className="text-xs text-ink-faint">{DIALOG_TEXTS.alwaysOn}</span>}
        </span>
        <span id={`${id}-text`} className="mt-1 block leading-5 text-ink-soft">
          {text}
        </span>
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-labelledby={id}
        aria-describedby={`${id}-text`}
        checked={isOn}
        aria-checked={isOn}
        disabled={isLocked}
        onChange={(event) => onSwitch?.(event.target.checked)}
        className={switchClasses}
      />
    </label>
  )
}

const switchClasses = cx(
  'mt-0.5 h-6 w-11 shrink-0 appearance-none rounded-full border border-line-strong bg-sunken transition-colors',
  'before:block before:size-4 before:translate-x-[3px] before:translate-y-[3px] before:rounded-full before:bg-line-strong before:transition-transform',
  'checked:border-tea checked:bg-tea checked:before:translate-x-[23px] checked:before:bg-on-tea',
  'disabled:cursor-not-allowed disabled:opacity-60 forced-colors:appearance-auto',
)

interface CategoryProps {
  name: string
  text: string
  isOn: boolean
  isLocked?: boolean
  onSwitch?: (isOn: boolean) => void
}
