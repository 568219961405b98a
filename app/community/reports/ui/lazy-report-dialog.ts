/** The dialog in which something is reported, whose code comes with its first opening. */
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'

export const ReportDialog = lazyDialog(() =>
  import('./report-dialog.tsx').then((it) => it.ReportDialog),
)
