const difference = document.createElement("copydesk-diff");
Object.assign(difference, { oldText: "Green tea.", newText: "Black tea.", label: "Tea" });
export default difference;
