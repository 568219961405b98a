/** Spec §2.12. Load it with `lazyDialog`. */
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { INBOX_TITLE } from '../contact.ts'
import { Inbox } from './inbox.tsx'

export function InboxDialog({ open, onOpenChange }: OpenProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} width="lg" title={INBOX_TITLE}>
      <Inbox />
    </Dialog>
  )
}
