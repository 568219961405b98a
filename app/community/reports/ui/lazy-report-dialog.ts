import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'

export const ReportDialog = lazyDialog(() =>
  import('./report-dialog.tsx').then((it) => it.ReportDialog),
)
