/** The Cookie Preferences dialog, whose code comes with its first opening. */
import { lazyDialog } from '../../ui/lazy-component.tsx'

export const PreferencesDialog = lazyDialog(() =>
  import('./preferences-dialog.tsx').then((it) => it.PreferencesDialog),
)
