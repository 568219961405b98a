/** The look of what stands in the row below a comment, in app.css. */
export const smallButton = 'small-button'
