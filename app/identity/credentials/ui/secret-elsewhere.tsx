import { useState } from 'react'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { MAY_BE_ELSEWHERE } from '../credential.ts'
import { useSecretElsewhere } from '../own-credential.data.ts'
import { RestoreSecretDialog } from './issuing-dialogs.tsx'

/**
 * Shown where people list or give ratings, if the secret is on another device. Sends no request, because
 * login found out.
 */
export function SecretElsewhereNotice({ className, onBrought }: SecretElsewhereNoticeProps) {
  const isElsewhere = useSecretElsewhere(useSessionKey())
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {isElsewhere && (
        <div
          className={cx(
            'flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border border-tea/30 bg-tea-soft px-4 py-3',
            className,
          )}
        >
          <p className="min-w-0 flex-1 basis-64 text-sm leading-6 text-ink">{`${MAY_BE_ELSEWHERE.title}. ${MAY_BE_ELSEWHERE.description}`}</p>
          <Button
            variant="secondary"
            size="sm"
            {...RestoreSecretDialog.preload}
            onClick={() => setOpen(true)}
          >
            {MAY_BE_ELSEWHERE.label}
          </Button>
        </div>
      )}
      <RestoreSecretDialog open={isOpen} onOpenChange={setOpen} {...(onBrought && { onBrought })} />
    </>
  )
}

interface SecretElsewhereNoticeProps {
  className?: string
  onBrought?: () => void
}
