/** The way out, for good. */
import { useState } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { SettingsSection } from '#app/kit/ui/settings-section.tsx'

const DeletionDialog = lazyDialog(() =>
  import('./deletion-dialog.tsx').then((it) => it.DeletionDialog),
)

export function DeletionSettings({ username }: { username: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingsSection id="deletion" title="Delete account">
      <div className="flex flex-col items-start gap-x-8 gap-y-4 md:flex-row md:items-center md:justify-between">
        <p className="max-w-sm text-sm leading-6 text-ink-soft">
          Your username, email and password go at once, and nobody can bring them back. You choose
          what becomes of what you wrote.
        </p>
        <Button variant="danger" {...DeletionDialog.preload} onClick={() => setOpen(true)}>
          Delete account
        </Button>
      </div>
      <DeletionDialog open={isOpen} onOpenChange={setOpen} username={username} />
    </SettingsSection>
  )
}
