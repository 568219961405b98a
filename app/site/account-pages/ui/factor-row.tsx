import { KeyRound, Smartphone } from 'lucide'
import { useState } from 'react'
import { removeFactor } from '#app/identity/accounts/sign-in/own-factors.data.ts'
import { type Factor, KIND_NAMES } from '#app/identity/accounts/sign-in/second-step.ts'
import { orThrow } from '#app/identity/accounts/sign-in/sign-in.data.ts'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { toast } from '#app/kit/ui/toast.ts'

/** @param onGone called before the row disappears, and the focus with it */
export function FactorRow({ factor, isLast, onGone }: FactorRowProps) {
  const [isAsking, setAsking] = useState(false)
  const { kind, name } = factor
  const kindName = KIND_NAMES[kind]
  return (
    <article className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex min-w-0 items-center gap-3">
        <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-leaf-soft text-leaf">
          <Icon of={kind === 'totp' ? Smartphone : KeyRound} className="size-[1.125rem]" />
        </span>
        <div className="min-w-0">
          <h3 className="font-medium wrap-anywhere text-ink">{name}</h3>
          {!name.startsWith(kindName) && <p className="text-sm text-ink-faint">{kindName}</p>}
        </div>
      </div>
      <Button
        variant="ghost"
        size="sm"
        aria-label={`Remove ${name}`}
        {...ConfirmDialog.preload}
        onClick={() => setAsking(true)}
        className="-mr-3"
      >
        Remove
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Remove “${name}”?`}
        words={{
          text: isLast
            ? 'You’ll log in with just your password, and your recovery codes stop working. This signs out your other devices.'
            : 'You can no longer use it to log in. This signs out your other devices.',
          confirm: 'Remove',
          busy: 'Removing...',
        }}
        act={async () => orThrow(await removeFactor(factor.id))}
        onDone={() => {
          toast({ title: isLast ? 'Two-step login is off' : `${name} removed` })
          onGone()
        }}
      />
    </article>
  )
}

interface FactorRowProps {
  factor: Factor
  isLast: boolean
  onGone: () => void
}
