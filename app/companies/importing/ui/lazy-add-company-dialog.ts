import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'

export const AddCompanyDialog = lazyDialog(() =>
  import('./add-company-dialog.tsx').then((it) => it.AddCompanyDialog),
)
