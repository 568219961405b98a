/** Spec §2.4. `sent` follows forgot-password. `waiting` follows a sign-up that needs its link opened. */
export type AuthView = 'login' | 'signup' | 'forgot-password' | 'sent' | 'waiting'

export interface AuthFormProps {
  email: string
  onEmail: (email: string) => void
  onView: (view: AuthView) => void
  onDone: () => void
}
