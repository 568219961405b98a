/** What can be done with the selected cases. It stays in sight while the list is read. */
import { Check, Trash2, X } from 'lucide'
import { IconButton } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { DecisionButton } from './decision-button.tsx'

export function MarkedBar({ count, isBusy, hasKeys, onCommand }: MarkedBarProps) {
  const common = { isBusy, className: 'max-md:[&_svg]:hidden' }
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 ? `${count} selected` : ''}
      </p>
      {count > 0 && (
        <div
          role="toolbar"
          aria-label="Selected cases"
          className="sticky bottom-3 z-10 mt-4 flex items-center gap-2 rounded-xl border border-line-strong bg-surface p-2.5 pl-4 shadow-card max-md:bottom-20"
        >
          <span className="mr-auto shrink-0 text-sm font-medium whitespace-nowrap text-ink">
            {count} selected
          </span>
          <DecisionButton
            {...common}
            icon={Check}
            keyName={hasKeys ? 'A' : undefined}
            onClick={() => onCommand('keep')}
          >
            Keep
          </DecisionButton>
          <DecisionButton
            {...common}
            icon={Trash2}
            keyName={hasKeys ? 'R' : undefined}
            onClick={() => onCommand('remove')}
          >
            Remove...
          </DecisionButton>
          <IconButton label="Select none" onClick={() => onCommand('unmark')}>
            <Icon of={X} />
          </IconButton>
        </div>
      )}
    </>
  )
}

interface MarkedBarProps {
  count: number
  isBusy: boolean
  hasKeys: boolean
  onCommand: (command: 'keep' | 'remove' | 'unmark') => void
}
