import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'

export const ContactDialog = lazyDialog(() =>
  import('./contact-dialog.tsx').then((it) => it.ContactDialog),
)
