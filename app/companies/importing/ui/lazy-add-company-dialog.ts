/** The dialog in which a company is added, whose code comes with its first opening. */
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'

export const AddCompanyDialog = lazyDialog(() =>
  import('./add-company-dialog.tsx').then((it) => it.AddCompanyDialog),
)
