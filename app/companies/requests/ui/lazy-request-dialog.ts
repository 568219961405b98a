import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'

export const RequestDialog = lazyDialog(() =>
  import('./request-dialog.tsx').then((it) => it.RequestDialog),
)
