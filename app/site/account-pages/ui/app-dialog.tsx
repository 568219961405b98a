/** Adds an authenticator app: it is told a secret, and shows by a code that it knows it. Load it with `lazyDialog`. */
import { Copy } from 'lucide'
import { useCallback, useEffect, useState } from 'react'
import {
  beginApp,
  type NewApp,
  proveNewApp,
} from '#app/identity/accounts/sign-in/own-factors.data.ts'
import { inGroups } from '#app/identity/accounts/sign-in/second-step.ts'
import { CodeForm } from '#app/identity/accounts/sign-in/ui/code-form.tsx'
import { IconButton } from '#app/kit/ui/button.tsx'
import { copyText } from '#app/kit/ui/copy-text.ts'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'

export function AppDialog({ open, onOpenChange, name, onDone }: AppDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add an authenticator app"
      description="An app such as Aegis, 2FAS or Google Authenticator, or your password manager, shows a new code every half minute."
    >
      {/* Of its own each time: what was shown before is over. */}
      <NewAppForm
        name={name}
        onDone={() => {
          onOpenChange(false)
          onDone()
        }}
      />
    </Dialog>
  )
}

function NewAppForm({ name, onDone }: { name: string; onDone: () => void }) {
  // Once it is listed another name would be free.
  const [ownName] = useState(name)
  const [app, setApp] = useState<NewApp>()
  const [problem, setProblem] = useState<string>()
  const begin = useCallback(async () => {
    setProblem(undefined)
    const begun = await beginApp(ownName)
    setApp(begun.data)
    setProblem(begun.problem?.message)
  }, [ownName])
  useEffect(() => {
    begin()
  }, [begin])
  if (problem !== undefined) return <LoadErrorLine text={problem} onRetry={begin} />
  return (
    <div className="grid gap-5">
      {app ? <Secret app={app} /> : <Skeleton className="h-60 w-full rounded-lg sm:h-40" />}
      {app ? (
        <CodeForm
          hint="The six digits that the app shows for this site."
          label="Add the app"
          prove={(digits) => proveNewApp(app.id, digits)}
          onDone={onDone}
        />
      ) : (
        <Skeleton className="h-36 w-full rounded-lg" />
      )}
    </div>
  )
}

function Secret({ app }: { app: NewApp }) {
  return (
    <div className="flex flex-col items-center gap-5 rounded-lg bg-sunken p-4 sm:flex-row sm:items-start">
      {/* Apps read dark on light only, whatever the theme. */}
      <img
        src={app.picture}
        alt="The secret as a QR code"
        width={144}
        height={144}
        className="size-36 shrink-0 rounded-md bg-white p-2"
      />
      <div className="grid min-w-0 gap-2 text-sm leading-6 text-ink-soft">
        <p>Scan the picture with the app, or type this into it:</p>
        <div className="flex items-start justify-between gap-2">
          <code className="min-w-0 text-[0.8125rem] leading-6 text-ink">
            {inGroups(app.secret)}
          </code>
          <IconButton
            label="Copy the secret"
            onClick={() => copyText(app.secret, 'Secret copied')}
            className="-my-2 -mr-2"
          >
            <Icon of={Copy} />
          </IconButton>
        </div>
        <p className="md:hidden">
          <a href={app.uri} className={linkLook}>
            Open an app on this phone
          </a>
        </p>
      </div>
    </div>
  )
}

type AppDialogProps = OpenProps & {
  /** Of the factor, as it is listed. */
  name: string
  onDone: () => void
}
