import { LifeBuoy } from 'lucide'
import { useState } from 'react'
import { makeRecoveryCodes } from '#app/identity/accounts/sign-in/own-factors.data.ts'
import { codesLeftText, FEW_CODES } from '#app/identity/accounts/sign-in/second-step.ts'
import { orThrow } from '#app/identity/accounts/sign-in/sign-in.data.ts'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'

export function RecoveryCodes({ left, onMade }: RecoveryCodesProps) {
  const [isAsking, setAsking] = useState(false)
  const [made, setMade] = useState<string[]>([])
  const isFew = left < FEW_CODES
  return (
    <article className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex min-w-0 items-center gap-3">
        <span
          className={cx(
            'inline-flex size-9 shrink-0 items-center justify-center rounded-full',
            isFew ? 'bg-danger-soft text-danger' : 'bg-sunken text-ink-soft',
          )}
        >
          <Icon of={LifeBuoy} className="size-[1.125rem]" />
        </span>
        <div className="min-w-0">
          <h3 className="font-medium text-ink">Recovery codes</h3>
          <p className={cx('text-sm', isFew ? 'text-danger' : 'text-ink-faint')}>
            {codesLeftText(left)}
          </p>
        </div>
      </div>
      <Button
        variant="ghost"
        size="sm"
        {...ConfirmDialog.preload}
        onClick={() => setAsking(true)}
        className="-mr-3"
      >
        New codes
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Get new recovery codes?"
        variant="primary"
        words={{
          text: 'You’ll get ten new codes. The old ones stop working.',
          confirm: 'Get new codes',
          busy: 'Creating codes...',
        }}
        act={async () => {
          const { data, problem } = await makeRecoveryCodes()
          orThrow(problem)
          setMade(data ?? [])
        }}
        onDone={() => onMade(made)}
      />
    </article>
  )
}

interface RecoveryCodesProps {
  left: number
  onMade: (codes: string[]) => void
}
