// The worker of an app that makes it itself.
import "copydesk/workspace/worker";
