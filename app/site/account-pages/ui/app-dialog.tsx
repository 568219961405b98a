/** Adds an authenticator app: shows a secret, and checks the app's first code. Load it with `lazyDialog`. */
import { Copy } from 'lucide'
import { useCallback, useEffect, useState } from 'react'
import {
  beginApp,
  type NewApp,
  verifyNewApp,
} from '#app/identity/accounts/sign-in/own-factors.data.ts'
import { inGroups } from '#app/identity/accounts/sign-in/second-step.ts'
import { CodeForm } from '#app/identity/accounts/sign-in/ui/code-form.tsx'
import { IconButton } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { copyText } from '#app/kit/ui/share.ts'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'

export function AppDialog({ open, onOpenChange, name, onDone }: AppDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add an authenticator app"
      description="Apps such as Aegis, 2FAS or Google Authenticator show a new code every 30 seconds. So do many password managers."
    >
      {/* Mounted again each time, with a new secret. */}
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
  // Fixed, because once it's listed, the next free name would differ.
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
          hint="The six digits your app shows for this site."
          label="Add app"
          verify={(digits) => verifyNewApp(app.id, digits)}
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
      {/* Apps can only read dark on light, so it looks the same in both themes. */}
      <img
        src={app.picture}
        alt="QR code of the secret"
        width={144}
        height={144}
        className="size-36 shrink-0 rounded-md bg-white p-2"
      />
      <div className="grid min-w-0 gap-2 text-sm leading-6 text-ink-soft">
        <p>Scan this code with your app, or enter this instead:</p>
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
          <a href={app.uri} className={linkClasses}>
            Open in an app on this phone
          </a>
        </p>
      </div>
    </div>
  )
}

type AppDialogProps = OpenProps & {
  name: string
  onDone: () => void
}
