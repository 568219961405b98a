/** Asks for a yes before something is done. */
import { lazyDialog } from '../ui/lazy-component.tsx'
import type { ActDialogProps } from './act-dialog.tsx'

export const ConfirmDialog = lazyDialog<Omit<ActDialogProps<never>, 'check' | 'children'>>(() =>
  import('./act-dialog.tsx').then((it) => it.ActDialog<never>),
)
