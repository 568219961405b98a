/** The Cookie Preferences dialog, whose code comes with its first opening. */
import { openable } from '../../../ui/openable.tsx'

export const PreferencesDialog = openable(() =>
  import('./preferences-dialog.tsx').then((it) => it.PreferencesDialog),
)
