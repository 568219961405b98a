/** Tells password managers whose password a form is about; nobody else sees it. */
export const WhosePassword = ({ email }: { email: string | null | undefined }) => (
  <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
)
