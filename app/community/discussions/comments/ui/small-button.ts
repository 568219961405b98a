/** Styled in app.css. */
export const smallButton = 'small-button'
