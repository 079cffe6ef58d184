/** The reasons why an addition of the user's cannot be used. */

export const additions = {
  notLoaded: "This part of the page could not be loaded. Check the network, and try again.",
  skills: "Enter the URL of a repository or of a folder, without a password, or a folder in your files.",
  servers: "Enter the URL of a server, and a name of letters, digits, hyphens and underscores.",
};
