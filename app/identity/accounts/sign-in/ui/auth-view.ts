/** The views of the auth dialog, and what its forms share. Spec §2.4. */

/** `sent` follows forgot-password, `waiting` a sign-up that wants its link followed first. */
export type AuthView = 'login' | 'signup' | 'forgot-password' | 'sent' | 'waiting'

export interface AuthFormProps {
  email: string
  onEmail: (email: string) => void
  onView: (view: AuthView) => void
  /** The person is signed in. */
  onDone: () => void
}
